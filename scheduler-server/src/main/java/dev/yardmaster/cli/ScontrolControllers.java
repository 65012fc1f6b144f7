package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ControllerFinder;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.SchedulerClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * The commands of scontrol(1) that speak to each controller by itself: ping, takeover, shutdown.
 */
final class ScontrolControllers {
  private static final Duration PING = Duration.ofSeconds(5);

  private final @Nullable String cluster;
  private final Io io;

  /**
   * @param cluster what -M names; null when it was not given
   */
  ScontrolControllers(@Nullable String cluster, Io io) {
    this.cluster = cluster;
    this.io = io;
  }

  /** A request to one controller. */
  @FunctionalInterface
  private interface Request {
    Object send(SchedulerClient client) throws ClientException;
  }

  private List<ControllerFinder.Controller> controllers() throws CommandFailure {
    try {
      return Session.controllers(io);
    } catch (ClientException e) {
      throw new CommandFailure(1, "scontrol: fatal: " + e.text());
    }
  }

  private Credential credential() throws CommandFailure {
    try {
      return io.machine().caller(io::variable, ControllerFinder.configFile(io::variable));
    } catch (ClientException e) {
      throw new CommandFailure(1, "scontrol: fatal: " + e.text());
    }
  }

  private static void send(
      ControllerFinder.Controller to, Credential by, Duration deadline, Request request)
      throws ClientException {
    try (SchedulerClient client = DefaultSchedulerClient.of(to.endpoint(), by, deadline)) {
      request.send(client);
    }
  }

  /** Tells of each controller whether it is there. One that stands by is. */
  int ping() throws CommandFailure {
    List<ControllerFinder.Controller> controllers = controllers();
    Credential credential = credential();
    List<Boolean> up = up(controllers, credential);
    for (int i = 0; i < controllers.size(); i++) {
      String role = i == 0 ? "primary" : controllers.size() > 2 ? "backup" + i : "backup";
      io.out()
          .println(
              "Slurmctld("
                  + role
                  + ") at "
                  + controllers.get(i).name()
                  + " is "
                  + (up.get(i) ? "UP" : "DOWN"));
    }
    if (up.contains(false) && credential.uid() == 0) {
      io.out().println("*****************************************");
      io.out().println("** RESTORE SLURMCTLD DAEMON TO SERVICE **");
      io.out().println("*****************************************");
    }
    return up.contains(true) ? 0 : 1;
  }

  /** The same as data; how long an answer took is in microseconds. */
  int pingData(boolean yaml, List<String> command) throws CommandFailure {
    List<ControllerFinder.Controller> controllers = controllers();
    Credential credential = credential();
    long begin = System.nanoTime();
    List<Boolean> up = up(controllers, credential);
    long micros = (System.nanoTime() - begin) / 1_000;
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < controllers.size(); i++) {
      places.add(i);
    }
    DataDocument.print(
        yaml,
        command,
        "",
        io,
        document ->
            document.objects(
                "pings",
                places,
                (to, place) -> {
                  to.text("hostname", controllers.get(place).name());
                  to.out().writeBooleanField("responding", up.get(place));
                  to.number("latency", micros);
                  to.out().writeBooleanField("primary", place == 0);
                  to.text("status", up.get(place) ? "No error" : "Unspecified error");
                }));
    return up.contains(true) ? 0 : 1;
  }

  /** All are asked at once, as several may take their time to be away. */
  private static List<Boolean> up(
      List<ControllerFinder.Controller> controllers, Credential credential) throws CommandFailure {
    List<FutureTask<Boolean>> asked = new ArrayList<>();
    for (ControllerFinder.Controller controller : controllers) {
      FutureTask<Boolean> task = new FutureTask<>(() -> isUp(controller, credential));
      asked.add(task);
      if (controllers.size() == 1) {
        task.run();
      } else {
        Thread.ofVirtual().start(task);
      }
    }
    List<Boolean> up = new ArrayList<>();
    for (FutureTask<Boolean> task : asked) {
      try {
        up.add(task.get());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CommandFailure(1, "scontrol: interrupted");
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }
    return up;
  }

  private static boolean isUp(ControllerFinder.Controller controller, Credential credential) {
    try {
      send(controller, credential, PING, SchedulerClient::info);
      return true;
    } catch (ClientException.Refused e) {
      return true;
    } catch (ClientException e) {
      return false;
    }
  }

  /** Has a backup take control, by its place in SlurmctldHost; the first one otherwise. */
  int takeOver(List<String> words) throws CommandFailure {
    List<ControllerFinder.Controller> controllers = controllers();
    if (words.size() > 1) {
      throw new CommandFailure(1, "takeover: too many arguments");
    }
    int index = words.isEmpty() ? 1 : number(words.getFirst());
    if (!words.isEmpty() && (index < 1 || index >= controllers.size())) {
      throw new CommandFailure(
          1,
          "takeover: invalid backup controller index (" + index + ")",
          Hint.of(
              controllers.size() == 1
                  ? "slurm.conf has one SlurmctldHost, so there is no backup"
                  : "write a number from 1 to " + (controllers.size() - 1)));
    }
    if (index >= controllers.size()) {
      throw new CommandFailure(
          1,
          "slurm_takeover error: " + Session.NO_CONTACT,
          Hint.of("slurm.conf has one SlurmctldHost, so there is no backup"));
    }
    try {
      send(
          controllers.get(index),
          credential(),
          DefaultSchedulerClient.DEADLINE,
          SchedulerClient::takeOver);
      return 0;
    } catch (ClientException e) {
      throw new CommandFailure(1, "slurm_takeover error: " + Session.words(e));
    }
  }

  /** As C reads a number: what does not begin with one is 0. */
  private static int number(String word) {
    String digits = word.replaceFirst("^\\s*([+-]?[0-9]{1,9}).*$", "$1");
    return digits.matches("[+-]?[0-9]{1,9}") ? Integer.parseInt(digits) : 0;
  }

  /** Ends all controllers, the backups first, so that none of them takes control. */
  int shutdown(List<String> words) throws CommandFailure {
    if (words.size() > 1) {
      throw new CommandFailure(1, "too many arguments for keyword:shutdown");
    }
    List<ControllerFinder.Controller> controllers = controllers();
    Credential credential = credential();
    for (ControllerFinder.Controller backup : controllers.subList(1, controllers.size())) {
      try {
        send(backup, credential, PING, SchedulerClient::shutdown);
      } catch (ClientException e) {
        // Like Slurm's command, it speaks of the primary only.
        continue;
      }
    }
    try {
      if (controllers.size() > 1) {
        send(controllers.getFirst(), credential, PING, SchedulerClient::shutdown);
      } else {
        try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
          client.shutdown();
        }
      }
      return 0;
    } catch (ClientException e) {
      throw ScontrolChange.failure(e, text -> "slurm_shutdown error:" + text);
    }
  }
}
