package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ControllerFinder;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.Identity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Connects a command with the controller that its environment names. */
final class Session {
  /** Slurm's words for a controller that does not answer. */
  static final String NO_CONTACT = "Unable to contact slurm controller (connect failure)";

  /** Slurm's words for a controller that took a request and did not answer in time. */
  private static final String TIMED_OUT = "Socket timed out on send/recv operation";

  /** Programs that say no more than that a cluster is not known. */
  private static final Set<String> SUBMITTERS = Set.of("sbatch", "salloc", "srun");

  private Session() {}

  /**
   * A client of the controllers of the configuration. As Slurm's commands do, it waits for one that
   * does not listen yet, or that is about to take control.
   */
  static SchedulerClient open(String program, Io io) throws CommandFailure {
    try {
      Path config = ControllerFinder.configFile(io::variable);
      List<ControllerFinder.Controller> controllers = controllers(io);
      return DefaultSchedulerClient.of(
          controllers.stream().map(ControllerFinder.Controller::endpoint).toList(),
          io.machine().caller(io::variable, config),
          DefaultSchedulerClient.DEADLINE,
          ControllerFinder.patience(controllers));
    } catch (ClientException e) {
      throw new CommandFailure(1, program + ": fatal: " + e.text());
    }
  }

  /**
   * The same for a command that may be told with -M, or by SLURM_CLUSTERS, which cluster is meant.
   * A controller speaks for its own cluster only; another one must not be taken for it.
   *
   * @param clusters what -M says; null when it was not given
   */
  static SchedulerClient open(String program, @Nullable String clusters, Io io)
      throws CommandFailure {
    SchedulerClient client = open(program, io);
    String named = clusters == null ? io.nonEmpty("SLURM_CLUSTERS") : clusters;
    if (named == null) {
      return client;
    }
    try {
      String own = client.info().cluster();
      for (String name : named.isEmpty() ? List.of("") : Formats.list(named)) {
        if (!name.equals(own) && !name.equalsIgnoreCase("all")) {
          List<String> lines = new ArrayList<>();
          for (String each : named.isEmpty() ? List.of("") : Formats.list(named)) {
            if (!each.equals(own)) {
              lines.add(program + ": error: No cluster '" + each + "' known by database.");
            }
          }
          lines.add(
              program
                  + ": error: '"
                  + named
                  + "' can't be reached now, or it is an invalid entry for --cluster.  Use"
                  + " 'sacctmgr list clusters' to see available clusters.");
          if (!SUBMITTERS.contains(program)) {
            lines.add(program + ": fatal: Could not get cluster information");
          }
          lines.add(Hint.of("this is cluster " + own));
          throw new CommandFailure(1, lines);
        }
      }
      return client;
    } catch (ClientException e) {
      client.close();
      throw new CommandFailure(1, program + ": error: " + words(e));
    } catch (CommandFailure e) {
      client.close();
      throw e;
    }
  }

  /** The controllers of the configuration, the primary first. */
  static List<ControllerFinder.Controller> controllers(Io io) throws ClientException.NotConfigured {
    return io.machine().controllers(io::variable);
  }

  /** The name of the user who runs a command. */
  static String me(Io io) throws CommandFailure {
    return user(io).user();
  }

  /** The number of the user who runs a command. */
  static int uid(Io io) throws CommandFailure {
    return user(io).uid();
  }

  /** The user who runs a command. */
  static Identity identity(Io io) throws CommandFailure {
    Credential user = user(io);
    return new Identity(user.user(), user.uid(), user.group(), user.gid());
  }

  private static Credential user(Io io) throws CommandFailure {
    try {
      return io.machine().caller(io::variable, ControllerFinder.configFile(io::variable));
    } catch (ClientException e) {
      throw new CommandFailure(1, e.text());
    }
  }

  /**
   * What a failure is in Slurm's words, without the command's own prefix: for a refusal the words
   * of the error, for a controller that does not answer {@link #NO_CONTACT}, with a hint that says
   * why in a line of its own.
   */
  static String words(ClientException e) {
    return switch (e) {
      case ClientException.Refused refused -> refused.slurmText();
      case ClientException.Unreachable unreachable ->
          (unreachable.isLate() ? TIMED_OUT : NO_CONTACT) + "\n" + Hint.of(unreachable.text());
      case ClientException.NotAuthenticated refused ->
          "Access/permission denied: " + refused.text();
      case ClientException.NotConfigured other -> other.text();
      case ClientException.WrongVersion other -> other.text();
      case ClientException.Failed other -> other.text();
    };
  }
}
