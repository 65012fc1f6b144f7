package dev.yardmaster.cli;

import dev.yardmaster.model.text.JobId;
import dev.yardmaster.model.text.NotationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The processes of jobs on this machine (scontrol(1), listpids). Whose a process is, its
 * environment says, which it has from the node daemon.
 */
final class ListPids {
  private final Io io;
  private final Path processes;

  ListPids(Io io) {
    this(io, Path.of("/proc"));
  }

  ListPids(Io io, Path processes) {
    this.io = io;
    this.processes = processes;
  }

  private record Entry(long pid, long parent, Map<String, String> environment) {
    String value(String name) {
      return environment.getOrDefault(name, "");
    }

    String step() {
      return switch (value("SLURM_STEP_ID")) {
        case "-5", "4294967291" -> "batch";
        case "-4", "4294967292" -> "extern";
        default -> value("SLURM_STEP_ID");
      };
    }

    boolean isOfSameTask(Entry other) {
      return List.of("SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_PROCID").stream()
          .allMatch(name -> value(name).equals(other.value(name)));
    }
  }

  int run(List<String> words) throws CommandFailure {
    String job = words.isEmpty() || words.getFirst().startsWith("*") ? null : words.getFirst();
    String node = words.size() < 2 ? null : words.get(1);
    JobId wanted = job == null ? null : wanted(job);
    List<Entry> all = entries().stream().filter(e -> isOn(e, node)).toList();
    List<Entry> shown = all.stream().filter(e -> wanted == null || isOf(e, wanted)).toList();
    if (shown.isEmpty()) {
      throw new CommandFailure(1, nothing(wanted, node));
    }
    io.out().println("PID      JOBID    STEPID   LOCALID GLOBALID");
    for (Entry e : shown) {
      boolean isTask =
          !e.value("SLURM_PROCID").isEmpty()
              && all.stream().noneMatch(o -> o.pid() == e.parent() && o.isOfSameTask(e));
      io.out()
          .println(
              String.format(
                  Locale.ROOT,
                  "%-8d %-8s %-8s %-7s %-8s ",
                  e.pid(),
                  e.value("SLURM_JOB_ID"),
                  e.step(),
                  isTask ? e.value("SLURM_LOCALID") : "-",
                  isTask ? e.value("SLURM_PROCID") : "-"));
    }
    return 0;
  }

  private static JobId wanted(String text) throws CommandFailure {
    try {
      return JobId.parse(text);
    } catch (NotationException e) {
      throw new CommandFailure(1, "\"" + text + "\" does not look like a jobid");
    }
  }

  private static String nothing(@Nullable JobId wanted, @Nullable String node) {
    if (wanted == null) {
      return "No job steps exist on this node.";
    }
    String where = Objects.requireNonNullElse(node, "(null)");
    return wanted.step() != null
        ? "StepId=" + wanted.job() + "." + wanted.step() + " does not exist on node " + where + "."
        : "There are no steps for job " + wanted.job() + " on node " + where + ".";
  }

  private static boolean isOn(Entry e, @Nullable String node) {
    return node == null || e.value("SLURMD_NODENAME").equals(node);
  }

  private static boolean isOf(Entry e, JobId wanted) {
    return e.value("SLURM_JOB_ID").equals(Long.toString(wanted.job()))
        && (wanted.step() == null || wanted.step().equals(e.step()));
  }

  private List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    try (var folders = Files.newDirectoryStream(processes, "[0-9]*")) {
      for (Path folder : folders) {
        Entry entry = entry(folder);
        if (entry != null) {
          entries.add(entry);
        }
      }
    } catch (IOException e) {
      return List.of();
    }
    entries.sort((a, b) -> Long.compare(a.pid(), b.pid()));
    return entries;
  }

  /** Null for one that belongs to no job, has ended, or belongs to somebody else. */
  private static @Nullable Entry entry(Path folder) {
    try {
      Map<String, String> environment = new HashMap<>();
      String text = Files.readString(folder.resolve("environ"), StandardCharsets.ISO_8859_1);
      for (String variable : text.split("\0")) {
        int equals = variable.indexOf('=');
        if (variable.startsWith("SLURM") && equals > 0) {
          environment.put(variable.substring(0, equals), variable.substring(equals + 1));
        }
      }
      if (!environment.containsKey("SLURM_JOB_ID") || !environment.containsKey("SLURM_STEP_ID")) {
        return null;
      }
      String status = Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1);
      String[] behindName = status.substring(status.lastIndexOf(')') + 1).strip().split(" ");
      return new Entry(
          Long.parseLong(folder.getFileName().toString()),
          Long.parseLong(behindName[1]),
          environment);
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }
}
