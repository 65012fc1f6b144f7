package dev.yardmaster.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.NotationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What sbatch, salloc and srun have in common when they ask for resources. */
final class Submissions {
  /** Exit code for a command line that Slurm's commands cannot read. */
  static final int BAD_USAGE = 255;

  private Submissions() {}

  /** With --uid, root says whose job it will be; users are looked up where the command runs. */
  static void sayForWhom(String program, Map<String, String> options, Io io) throws CommandFailure {
    String name = options.get("uid");
    if (name == null) {
      return;
    }
    if (Session.uid(io) != 0) {
      throw new CommandFailure(BAD_USAGE, program + ": error: --uid only permitted by root user");
    }
    Credential user = io.machine().find(name);
    if (user == null) {
      throw new CommandFailure(
          BAD_USAGE,
          program + ": error: Invalid --uid specification",
          Hint.of("--uid: " + name + " is no user of this machine"));
    }
    options.put("uid", user.user() + ":" + user.uid() + ":" + user.group() + ":" + user.gid());
  }

  /**
   * Slurm's clients read times themselves, by the clock of the user, and say where they stopped.
   */
  static void checkTimes(String program, Map<String, String> options, Io io) throws CommandFailure {
    Instant before = null;
    for (String option : List.of("begin", "deadline")) {
      String text = options.get(option);
      if (text == null) {
        continue;
      }
      try {
        Instant now = io.clock().instant();
        Instant read =
            before == null
                ? Instants.parse(text, now, io.zone())
                : Instants.parseAfter(text, before, now, io.zone());
        if (before != null && read.isBefore(before)) {
          throw new CommandFailure(
              1,
              program + ": error: Incompatible begin and deadline time specification",
              Hint.of("--deadline: " + text + " is before --begin"));
        }
        before = read;
        options.put(option, FieldCheck.absolute(text, read));
      } catch (NotationException e) {
        if (text.isEmpty()) {
          throw new CommandFailure(
              BAD_USAGE, program + ": error: Invalid --" + option + " specification");
        }
        throw new CommandFailure(
            BAD_USAGE,
            TimeFault.message(text),
            program + ": error: Invalid --" + option + " specification",
            Hint.of("--" + option + ": " + e.getMessage()));
      }
    }
  }

  /** The nodes of --nodefile become those of --nodelist. */
  static void readNodeFile(String program, Map<String, String> options, Io io)
      throws CommandFailure {
    String file = options.remove("nodefile");
    if (file == null) {
      return;
    }
    List<String> lines = new ArrayList<>();
    List<String> names = new ArrayList<>();
    if (!file.isEmpty()) {
      try {
        names = NodeFile.names(new String(io.machine().read(io.directory().resolve(file)), UTF_8));
      } catch (IOException e) {
        lines.add(
            program
                + ": error: slurm_allocate_resources error opening file "
                + file
                + ", No such file or directory");
      }
    }
    if (names.isEmpty()) {
      lines.add(program + ": error: Invalid --nodefile node file");
      throw new CommandFailure(BAD_USAGE, lines);
    }
    options.put("nodelist", String.join(",", names));
  }

  /** Of a list of nodes without one no job is made, where no other number is given. */
  static void checkNodeCount(String prefix, Map<String, String> options) throws CommandFailure {
    if ("".equals(options.get("nodelist")) && !options.containsKey("nodes")) {
      throw new CommandFailure(1, prefix + "Node count specification invalid");
    }
  }

  /** A plane may have its size from SLURM_DIST_PLANESIZE, and must have one. */
  static void checkPlane(String program, Map<String, String> options, Io io) throws CommandFailure {
    String text = options.get("distribution");
    if (text == null || !text.toLowerCase(Locale.ROOT).matches("plane[^=]*")) {
      return;
    }
    String size = io.variable("SLURM_DIST_PLANESIZE");
    if (size == null || !size.matches("0*[1-9][0-9]{0,8}")) {
      throw new CommandFailure(
          BAD_USAGE,
          program + ": error: Invalid plane size or size not specified",
          program + ": error: Invalid --distribution specification",
          Hint.of("--distribution: write plane=SIZE, or set SLURM_DIST_PLANESIZE"));
    }
    options.put("distribution", "plane=" + size);
  }

  static String line(String program, List<String> arguments) {
    return arguments.isEmpty() ? program : program + " " + String.join(" ", arguments);
  }

  static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "localhost";
    }
  }

  /** The line of --test-only. */
  static String wouldStart(String program, SchedulerClient.WouldStart would, Io io) {
    return program
        + ": Job "
        + would.jobId()
        + " to start at "
        + Instants.format(would.start(), io.zone())
        + " a using "
        + would.cpus()
        + " processors on nodes "
        + would.nodes()
        + " in partition "
        + would.partition();
  }

  /**
   * The lines of a refusal. What Slurm's command checks itself is said in its words; what the
   * controller refuses comes behind {@code prefix}. Further lines of the detail are advice.
   */
  static CommandFailure failure(String program, ClientException e, String prefix) {
    if (!(e instanceof ClientException.Refused refused)) {
      return new CommandFailure(1, prefix + Session.words(e));
    }
    List<String> detail = refused.detail() == null ? List.of() : refused.detail().lines().toList();
    String first = detail.isEmpty() ? "" : detail.getFirst();
    String error = program + ": error: ";
    List<String> lines = new ArrayList<>();
    int exitCode = 1;
    switch (refused.name()) {
      case "COMMAND_LINE" -> {
        exitCode = BAD_USAGE;
        lines.add((first.startsWith("unrecognized option") ? program + ": " : error) + first);
      }
      case "COMMAND_VALUE" -> lines.add(error + first);
      case "COMMAND_GRES" -> {
        lines.add(error + first);
        lines.add(error + refused.slurmText());
      }
      case "COMMAND_FATAL" -> lines.add(program + ": fatal: " + first);
      default -> {
        if (!first.isEmpty()) {
          lines.add(error + first);
        }
        lines.add(prefix + refused.slurmText());
      }
    }
    detail.stream().skip(1).forEach(line -> lines.add(Hint.of(line)));
    return new CommandFailure(exitCode, lines);
  }
}
