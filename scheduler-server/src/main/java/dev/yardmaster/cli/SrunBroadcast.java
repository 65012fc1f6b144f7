package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.Job;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code srun --bcast}: the program of a step is copied to its nodes before it starts, and runs
 * from there.
 */
final class SrunBroadcast {
  private static final String OPTION = "bcast";

  private final List<SrunParts.Part> parts = new ArrayList<>();
  private final List<Broadcast.@Nullable Copy> copies = new ArrayList<>();
  private final SchedulerClient client;
  private final Io io;

  /**
   * @param job in which the steps are to run; null for one that they get for themselves
   */
  SrunBroadcast(List<SrunParts.Part> asked, @Nullable String job, SchedulerClient client, Io io)
      throws CommandFailure {
    this.client = client;
    this.io = io;
    for (SrunParts.Part part : asked) {
      String to = part.options().remove(OPTION);
      if (to == null) {
        parts.add(part);
        copies.add(null);
        continue;
      }
      Path from = program(part.command().getFirst(), io);
      String target = target(to, job, client, io);
      List<String> command = new ArrayList<>(part.command());
      command.set(0, target);
      parts.add(new SrunParts.Part(part.group(), part.options(), command));
      copies.add(new Broadcast.Copy(from, target, true, true, nodes(part.options())));
    }
  }

  private static @Nullable String nodes(Map<String, String> options) {
    return options.get("nodelist");
  }

  /** The file that a command means, looked for in PATH when it has no slash. */
  private static Path program(String name, Io io) throws CommandFailure {
    Path here = io.directory().resolve(name);
    if (name.contains("/")) {
      return readable(here, name);
    }
    String path = io.nonEmpty("PATH");
    for (String directory : (path == null ? "" : path).split(":")) {
      Path file = Path.of(directory, name);
      if (!directory.isEmpty() && Files.isExecutable(file)) {
        return file;
      }
    }
    return readable(here, name);
  }

  private static Path readable(Path file, String name) throws CommandFailure {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new CommandFailure(
          1, "srun: error: Can't open `" + name + "`: No such file or directory", failure(name));
    }
    return file;
  }

  private static String failure(String name) {
    return "srun: fatal: Failed to broadcast '" + name + "'. Step launch aborted.";
  }

  private static String target(String to, @Nullable String job, SchedulerClient client, Io io)
      throws CommandFailure {
    // The number of the step is not known before it starts, as it is in Slurm.
    String own = "slurm_bcast_" + (job == null ? "" : job + ".") + ProcessHandle.current().pid();
    try {
      String in = Sbcast.directory(client, io);
      // As in Slurm a name that is not absolute says nothing.
      String whole = to.startsWith("/") ? to : in + "/";
      return whole.endsWith("/") ? whole + own : whole;
    } catch (ClientException e) {
      throw new CommandFailure(1, "srun: error: " + Session.words(e));
    }
  }

  /** The parts with the programs that they are to run. */
  List<SrunParts.Part> parts() {
    return parts;
  }

  /** Copies the programs. */
  void send(List<Job> jobs) throws CommandFailure {
    for (int i = 0; i < parts.size(); i++) {
      Broadcast.Copy copy = copies.get(i);
      if (copy != null && new Broadcast("srun", client, io).copy(jobs.get(i), copy) != 0) {
        throw new CommandFailure(1, failure(copy.from().toString()));
      }
    }
  }
}
