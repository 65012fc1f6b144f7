package dev.yardmaster.node;

import dev.yardmaster.controller.Command;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobScript;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node keeps of a run, so that a restarted daemon knows it: a directory in the spool named
 * {@code JOB.RESTARTS}, there from the launch until the controller has no more use for it.
 */
record RunDirectory(Path path, Command.RunningJob run) {
  private static final long NANOS_OF_A_SECOND = 1_000_000_000;
  private static final Logger LOG = LoggerFactory.getLogger(RunDirectory.class);
  private static final String SCRIPT = "slurm_script";
  private static final String LAUNCH = "launch";
  private static final String STATUS = "status";
  private static final String ACKNOWLEDGED = "acknowledged";
  private static final String TERMINATION = "termination";
  private static final String BOOT = "boot";
  private static final String SHIM_SAID = "killed";
  private static final String OWNER = "owner";
  private static final String MEMORY = "memory";
  private static final String EPILOG = "epilog";
  private static final String AFTER = "after";

  /** How a run ended, and when. */
  record Status(ExitCode exit, Instant at) {}

  /** Since when a run is being ended, and how long it has to end by itself. */
  record Termination(Instant since, long killWaitSeconds) {
    Instant killAt() {
      return since.plusSeconds(killWaitSeconds);
    }
  }

  /** Whose run it is, and the file for messages about it. */
  record Owner(int uid, int gid, String errorFile) {}

  static RunDirectory of(Path spool, Command.RunningJob run) {
    return new RunDirectory(spool.resolve(run.jobId() + "." + run.restarts()), run);
  }

  /** All that are there. */
  static List<RunDirectory> all(Path spool) throws IOException {
    List<RunDirectory> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(spool, "[0-9]*.[0-9]*")) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (name.matches("[0-9]{1,9}\\.[0-9]{1,9}")) {
          String[] parts = name.split("\\.");
          found.add(
              new RunDirectory(
                  entry,
                  new Command.RunningJob(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]))));
        }
      }
    }
    found.sort(
        Comparator.comparing((RunDirectory d) -> d.run().jobId())
            .thenComparing(d -> d.run().restarts()));
    return found;
  }

  boolean exists() {
    return Files.isDirectory(path);
  }

  /** The present boot of the machine; processes of another one are gone. */
  static String presentBoot() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Writes everything that the launch needs. The directory belongs to the daemon, the texts to the
   * job's user, who alone may read them.
   */
  void create(Job job, JobScript script, String launch, Owner owner, boolean changeOwner)
      throws IOException {
    Files.createDirectories(path);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
    write(BOOT, presentBoot());
    write(OWNER, owner.uid() + " " + owner.gid() + " " + owner.errorFile());
    forUser(script(), script.script(), "r-x------", owner.uid(), changeOwner);
    forUser(launchScript(), launch, "r--------", owner.uid(), changeOwner);
  }

  static void forUser(Path file, String text, String permissions, int uid, boolean changeOwner)
      throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, text);
    if (changeOwner) {
      Files.setAttribute(file, "unix:uid", uid);
    }
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  Path script() {
    return path.resolve(SCRIPT);
  }

  Path launchScript() {
    return path.resolve(LAUNCH);
  }

  boolean isOfThisBoot() {
    return read(BOOT).map(b -> b.equals(presentBoot())).orElse(false);
  }

  /** How much memory the run may have here, in MiB; 0 for any. */
  void saveMemory(long mib) throws IOException {
    write(MEMORY, Long.toString(mib));
  }

  long memoryMib() {
    return read(MEMORY).filter(text -> text.matches("[0-9]{1,18}")).map(Long::parseLong).orElse(0L);
  }

  Optional<Owner> owner() {
    return read(OWNER)
        .map(text -> text.split(" ", 3))
        .filter(parts -> parts.length == 3)
        .map(p -> new Owner(Integer.parseInt(p[0]), Integer.parseInt(p[1]), p[2]));
  }

  /** How the run ended; empty while it runs, or when nobody could write it down. */
  Optional<Status> status() {
    return read(STATUS)
        .map(text -> text.split(" "))
        .filter(parts -> parts.length == 3)
        .map(
            p ->
                new Status(
                    new ExitCode(Integer.parseInt(p[0]), Integer.parseInt(p[1])),
                    Instant.ofEpochSecond(Long.parseLong(p[2]))));
  }

  void saveStatus(Status status) throws IOException {
    write(
        STATUS,
        status.exit().code() + " " + status.exit().signal() + " " + status.at().getEpochSecond());
  }

  /** What the launch said before the job's own output was open; empty when nothing. */
  String launchError() {
    String said = read(SHIM_SAID).orElse("");
    boolean notReached = said.startsWith("setpriv:") || said.startsWith("setsid:");
    // A shell puts the script of ours and its line in front.
    return notReached
        ? said
        : read("error").orElse("").replaceFirst("^\\S*/" + LAUNCH + ": (line )?\\d+: ", "");
  }

  /** Whether the shim had begun when it was last heard of. */
  boolean hasBegun() {
    return Files.exists(path.resolve(SHIM_SAID));
  }

  /** What the shell of the shim says of the time that its children have used. */
  String times() {
    return read("times").orElse("");
  }

  boolean isAcknowledged() {
    return Files.exists(path.resolve(ACKNOWLEDGED));
  }

  void acknowledge() throws IOException {
    write(ACKNOWLEDGED, "");
  }

  Optional<Termination> termination() {
    return read(TERMINATION)
        .map(text -> text.split(" "))
        .filter(parts -> parts.length == 2)
        .map(
            p ->
                new Termination(Instant.ofEpochSecond(Long.parseLong(p[0])), Long.parseLong(p[1])));
  }

  /** Kept to the second, rounded up: KillWait is never cut short. */
  void saveTermination(Termination termination) {
    Instant since = termination.since().plusNanos(NANOS_OF_A_SECOND - 1);
    writeIfPossible(TERMINATION, since.getEpochSecond() + " " + termination.killWaitSeconds());
  }

  /** Keeps what Epilog of the run is to find in its environment. */
  void saveEpilog(SortedMap<String, String> environment) {
    StringBuilder text = new StringBuilder();
    environment.forEach((name, value) -> text.append(name).append('=').append(value).append('\0'));
    writeIfPossible(EPILOG, text.toString());
  }

  /** Empty when no Epilog is known to come. */
  SortedMap<String, String> epilog() {
    SortedMap<String, String> environment = new TreeMap<>();
    for (String pair : read(EPILOG).orElse("").split("\0")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        environment.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
    return environment;
  }

  /** Its shim starts the launch script once more when the script has ended. */
  void runsEpilogOfTask() throws IOException {
    write(AFTER, "");
  }

  /** Nobody could note how the script ended: its shim was killed. */
  void saveLostStatus() throws IOException {
    saveStatus(new Status(new ExitCode(0, Processes.SIGKILL), Instant.now()));
  }

  private Optional<String> read(String name) {
    try {
      return Optional.of(Files.readString(path.resolve(name)).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** What cannot be written is told in the log: the run ends in either case. */
  private void writeIfPossible(String name, String text) {
    try {
      write(name, text);
    } catch (IOException e) {
      LOG.warn("{}: {}", path, e.toString());
    }
  }

  private void write(String name, String text) throws IOException {
    Path fresh = path.resolve(name + ".new");
    Files.writeString(fresh, text + "\n", StandardCharsets.UTF_8);
    Files.move(fresh, path.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Forgets the run; what cannot be deleted is told in the log. */
  void deleteQuietly() {
    try {
      delete();
    } catch (IOException e) {
      LOG.warn("{} cannot be deleted: {}", path, e.toString());
    }
  }

  /** Forgets the run. */
  void delete() throws IOException {
    if (!exists()) {
      return;
    }
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
