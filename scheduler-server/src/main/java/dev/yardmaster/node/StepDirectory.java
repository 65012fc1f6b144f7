package dev.yardmaster.node;

import dev.yardmaster.controller.Command;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.StepProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node keeps of a step, so that a restarted daemon goes on with it: a directory in the spool
 * named {@code steps/JOB.RESTARTS.STEP}, there from the launch until the controller has heard how
 * the step ended. It also holds the pipes that the step's tasks read and write.
 */
record StepDirectory(Path path, Key key) {
  private static final Logger LOG = LoggerFactory.getLogger(StepDirectory.class);
  private static final String FOLDER = "steps";
  private static final String FACTS = "step";

  /** What names a step on a node. */
  record Key(int jobId, int restarts, int stepId) {
    Command.RunningJob run() {
      return new Command.RunningJob(jobId, restarts);
    }

    String displayId() {
      return jobId + "." + stepId;
    }
  }

  /** The pipes of a task; all but the last three belong to its user. */
  enum Pipe {
    /** What it reads, writes, and writes as errors. */
    IN,
    OUT,
    ERR,
    /** To what keeps its input open: there is no more. */
    NO_MORE,
    /** From its keeper: that it has begun, and that the task has ended. */
    END,
    /** To its keeper: all that it wrote was read. */
    READ;

    private String suffix() {
      return switch (this) {
        case IN -> ".in";
        case OUT -> ".out";
        case ERR -> ".err";
        case NO_MORE -> ".no-more";
        case END -> ".end";
        case READ -> ".read";
      };
    }
  }

  /**
   * What a daemon must know to go on with a step.
   *
   * @param tasks the numbers of its tasks here
   * @param to where its srun listens
   * @param memoryMib what its job may have here; 0 for any
   * @param terminal the place, from 0, of the task that runs on a terminal; -1 for none
   */
  record Facts(List<Integer> tasks, StepProgram to, long memoryMib, int terminal) {
    Facts {
      tasks = List.copyOf(tasks);
    }
  }

  static StepDirectory of(Path spool, Key key) {
    String name = key.jobId() + "." + key.restarts() + "." + key.stepId();
    return new StepDirectory(spool.resolve(FOLDER).resolve(name), key);
  }

  /** All that are there. */
  static List<StepDirectory> all(Path spool) throws IOException {
    List<StepDirectory> found = new ArrayList<>();
    Path folder = spool.resolve(FOLDER);
    if (!Files.isDirectory(folder)) {
      return found;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (name.matches("[0-9]{1,9}\\.[0-9]{1,9}\\.[0-9]{1,9}")) {
          int[] n = Stream.of(name.split("\\.")).mapToInt(Integer::parseInt).toArray();
          found.add(new StepDirectory(entry, new Key(n[0], n[1], n[2])));
        }
      }
    }
    found.sort(Comparator.comparing(d -> d.path().toString()));
    return found;
  }

  /** Writes what a later daemon needs; the srun's secret is nobody else's to read. */
  void create(Facts facts) throws IOException {
    delete();
    Files.createDirectories(path);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
    TreeMap<String, String> lines = new TreeMap<>();
    lines.put("boot", RunDirectory.presentBoot());
    lines.put(
        "tasks", facts.tasks().stream().map(String::valueOf).collect(Collectors.joining(",")));
    lines.put("host", facts.to().host());
    lines.put("port", Integer.toString(facts.to().port()));
    lines.put("key", facts.to().key());
    lines.put("memory", Long.toString(facts.memoryMib()));
    lines.put("terminal", Integer.toString(facts.terminal()));
    StringBuilder text = new StringBuilder();
    lines.forEach((name, value) -> text.append(name).append(' ').append(value).append('\n'));
    Path fresh = path.resolve(FACTS + ".new");
    Files.createFile(
        fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, text);
    Files.move(fresh, path.resolve(FACTS), StandardCopyOption.ATOMIC_MOVE);
  }

  /** What was written; null when it cannot be gone on with, as after a reboot of the machine. */
  @Nullable Facts facts() {
    SortedMap<String, String> lines = new TreeMap<>();
    for (String line : text(FACTS).lines().toList()) {
      int space = line.indexOf(' ');
      if (space > 0) {
        lines.put(line.substring(0, space), line.substring(space + 1));
      }
    }
    try {
      if (!RunDirectory.presentBoot().equals(lines.get("boot"))) {
        return null;
      }
      return new Facts(
          Arrays.stream(lines.getOrDefault("tasks", "").split(",")).map(Integer::valueOf).toList(),
          new StepProgram(
              List.of(),
              new TreeMap<>(),
              "",
              lines.getOrDefault("host", ""),
              Integer.parseInt(lines.getOrDefault("port", "")),
              lines.getOrDefault("key", "")),
          Long.parseLong(lines.getOrDefault("memory", "")),
          Integer.parseInt(lines.getOrDefault("terminal", "")));
    } catch (NumberFormatException e) {
      LOG.warn("{}: not what a step leaves: {}", path, e.getMessage());
      return null;
    }
  }

  /** Makes the pipes of a task. */
  void makePipes(int place, int uid, boolean changeOwner) throws IOException {
    for (Pipe pipe : Pipe.values()) {
      Path file = pipe(place, pipe);
      Posix.mkfifo(file);
      // So that a task may open /dev/stdout and the like.
      if (changeOwner && pipe.compareTo(Pipe.NO_MORE) < 0) {
        Files.setAttribute(file, "unix:uid", uid);
      }
    }
  }

  Path pipe(int place, Pipe pipe) {
    return path.resolve(place + pipe.suffix());
  }

  /** Writes the text that a task's user runs, and nobody else may read. */
  Path saveLaunch(int place, String text, int uid, boolean changeOwner) throws IOException {
    Path file = path.resolve(place + ".launch");
    RunDirectory.forUser(file, text, "r--------", uid, changeOwner);
    return file;
  }

  /** The keepers of its tasks run TaskEpilog when they have ended. */
  void runsEpilogOfTask(int place) throws IOException {
    Files.createFile(path.resolve(place + ".after"));
  }

  /** How a task has ended, as its keeper wrote it down; empty while it runs, or was not heard. */
  Optional<ExitCode> status(int place) {
    String text = text(place + ".status");
    // The line may be just about to be written.
    return text.matches("[0-9]{1,3} [0-9]{1,3}\n")
        ? Optional.of(exit(text.strip()))
        : Optional.empty();
  }

  private static ExitCode exit(String text) {
    String[] parts = text.split(" ");
    return new ExitCode(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
  }

  /**
   * The keeper of a task, and what keeps its input open; none of the task's own.
   *
   * @return empty before they have begun
   */
  List<Integer> keepers(int place) {
    String text = text(place + ".pid").strip();
    return text.matches("[0-9]{1,9} [0-9]{1,9}")
        ? Stream.of(text.split(" ")).map(Integer::valueOf).toList()
        : List.of();
  }

  /** The terminal that a task runs on; empty when it has none. */
  Optional<Path> terminal(int place) {
    String text = text(place + ".tty").strip();
    return text.startsWith("/dev/") ? Optional.of(Path.of(text)) : Optional.empty();
  }

  private String text(String name) {
    try {
      return Files.readString(path.resolve(name), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  /** Forgets the step. */
  void delete() {
    if (!Files.isDirectory(path)) {
      return;
    }
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      LOG.warn("{} cannot be deleted: {}", path, e.toString());
    }
  }
}
