package dev.yardmaster.cli;

import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Job;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Copies a file to the nodes of a job, as sbcast(1) and {@code srun --bcast} do: by a step of one
 * task on each node, which writes what it reads. The copy comes to its place in one move, so that
 * nobody sees a part of it, and nodes that share a file system do not disturb each other.
 */
final class Broadcast {
  /** What a node cannot do is its exit code: the number of the error, as Slurm's. */
  private static final String SCRIPT =
      """
      to=$1 mode=$2 force=$3 time=$4
      if [ -d "$to" ]; then exit 21; fi
      if [ -z "$force" ] && { [ -e "$to" ] || [ -h "$to" ]; }; then exit 17; fi
      in=${to%/*}
      if [ ! -d "${in:-/}" ]; then exit 2; fi
      if [ ! -w "${in:-/}" ]; then exit 13; fi
      part=$to.${SLURMD_NODENAME:-node}.$$
      if cat > "$part" && chmod "$mode" "$part"; then :; else rm -f "$part"; exit 5; fi
      if [ -n "$time" ]; then touch -d "@$time" "$part"; fi
      if [ -n "$force" ]; then
        mv -f "$part" "$to" || exit 5
      elif ln "$part" "$to" 2>/dev/null; then
        rm -f "$part"
      else
        rm -f "$part"; exit 17
      fi
      """;

  private static final Pattern FAILED =
      Pattern.compile("srun: error: (\\S+): tasks? \\S+: Exited with exit code ([0-9]+)");

  private static final Map<Integer, String> ERRORS =
      Map.of(
          2, "No such file or directory",
          5, "Input/output error",
          13, "Permission denied",
          17, "File exists",
          21, "Is a directory");

  private final String program;
  private final SchedulerClient client;
  private final Io io;

  /**
   * @param program who says what goes wrong
   */
  Broadcast(String program, SchedulerClient client, Io io) {
    this.program = program;
    this.client = client;
    this.io = io;
  }

  /**
   * What is copied.
   *
   * @param force whether a file that is there is replaced
   * @param preserve whether the copy has the times of the file
   * @param nodes to which nodes of the job; null for all
   */
  record Copy(Path from, String to, boolean force, boolean preserve, @Nullable String nodes) {}

  /**
   * Copies a file.
   *
   * @return 0, or the highest error of any node
   */
  int copy(Job job, Copy copy) throws CommandFailure {
    Allocation allocation = job.allocation();
    int nodes = allocation == null ? 1 : allocation.shares().size();
    Map<String, String> options = new LinkedHashMap<>();
    if (copy.nodes() == null) {
      options.put("nodes", Integer.toString(nodes));
    } else {
      options.put("nodelist", copy.nodes());
    }
    options.put("ntasks-per-node", "1");
    options.put("overlap", "");
    options.put("mem", "0");
    options.put("gres", "none");
    options.put("input", copy.from().toString());
    options.put("job-name", program);
    options.put("chdir", "/");
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int error;
    try (PrintStream complaints = new PrintStream(said, true, StandardCharsets.UTF_8)) {
      Io quiet =
          new Io(
              io.in(),
              complaints,
              complaints,
              io.environment(),
              io.directory(),
              io.zone(),
              io.clock(),
              io.terminal(),
              io.machine());
      SrunParts.Part part = new SrunParts.Part(0, options, command(copy));
      error = new HetSteps(client, List.of(part), quiet).run(List.of(job)).ofShell();
    } catch (IOException e) {
      throw new CommandFailure(255, error("Can't open `" + copy.from() + "`: " + e.getMessage()));
    }
    complain(said.toString(StandardCharsets.UTF_8));
    return error;
  }

  private String error(String text) {
    return program + ": error: " + text;
  }

  private static List<String> command(Copy copy) throws IOException {
    List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "sh"));
    words.add(copy.to());
    words.add(mode(Files.getPosixFilePermissions(copy.from())));
    words.add(copy.force() ? "f" : "");
    words.add(
        copy.preserve()
            ? Long.toString(Files.getLastModifiedTime(copy.from()).toInstant().getEpochSecond())
            : "");
    return words;
  }

  private static String mode(Set<PosixFilePermission> permissions) {
    int mode = 0;
    for (PosixFilePermission permission : permissions) {
      mode |= 0400 >> permission.ordinal();
    }
    return Integer.toOctalString(mode);
  }

  /** In Slurm's words what the nodes could not do; what else was said stays as it is. */
  private void complain(String said) {
    Map<String, Integer> byNode = new TreeMap<>();
    for (String line : said.lines().toList()) {
      Matcher failed = FAILED.matcher(line);
      if (failed.matches()) {
        byNode.put(failed.group(1), Integer.parseInt(failed.group(2)));
      } else if (!line.isEmpty()) {
        io.err().println(line);
      }
    }
    byNode.forEach(
        (node, code) ->
            io.err()
                .println(
                    error(
                        "REQUEST_FILE_BCAST("
                            + node
                            + "): "
                            + ERRORS.getOrDefault(code, "Unknown error " + code))));
  }
}
