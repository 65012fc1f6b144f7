package dev.yardmaster.node;

import dev.yardmaster.model.StepUsage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a task has used, as far as looks at its processes tell (proc(5)). Time on CPUs includes what
 * its processes have collected of children that ended.
 */
final class TaskUse {
  private static final long TICK_MICROS = 10_000;
  private static final long PAGE_BYTES = 4096;
  private static final Pattern TIMES =
      Pattern.compile("([0-9]+)m([0-9]+)[.,]?([0-9]*)s\\s+([0-9]+)m([0-9]+)[.,]?([0-9]*)s");

  private final String node;
  private final int task;
  private long user;
  private long system;
  private long resident;
  private long virtual;
  private long pageFaults;
  private long read;
  private long written;

  TaskUse(String node, int task) {
    this.node = node;
    this.task = task;
  }

  /** Looks at its processes; those that have gone meanwhile count as nothing. */
  synchronized void look(Set<Integer> pids) {
    long userNow = 0;
    long systemNow = 0;
    long residentNow = 0;
    long virtualNow = 0;
    long faultsNow = 0;
    long readNow = 0;
    long writtenNow = 0;
    for (int pid : pids) {
      String stat = text(pid, "stat");
      int afterName = stat.lastIndexOf(')');
      String[] fields = stat.substring(afterName + 1).strip().split(" ");
      if (afterName < 0 || fields.length < 22) {
        continue;
      }
      // The third field of proc(5) is the first here.
      faultsNow += number(fields[9]) + number(fields[10]);
      userNow += (number(fields[11]) + number(fields[13])) * TICK_MICROS;
      systemNow += (number(fields[12]) + number(fields[14])) * TICK_MICROS;
      virtualNow += number(fields[20]);
      long peak = pids.size() > 1 ? 0 : 1024 * line(text(pid, "status"), "VmHWM:");
      residentNow += Math.max(peak, number(fields[21]) * PAGE_BYTES);
      String io = text(pid, "io");
      readNow += line(io, "rchar:");
      writtenNow += line(io, "wchar:");
    }
    user = Math.max(user, userNow);
    system = Math.max(system, systemNow);
    resident = Math.max(resident, residentNow);
    virtual = Math.max(virtual, virtualNow);
    pageFaults = Math.max(pageFaults, faultsNow);
    read = Math.max(read, readNow);
    written = Math.max(written, writtenNow);
  }

  /**
   * What a shell has said of its children when they had ended, which is exact.
   *
   * @param times what its command of this name has printed
   */
  synchronized void shellSaid(String times) {
    Matcher match = TIMES.matcher(times);
    while (match.find()) {
      user = Math.max(user, micros(match, 1));
      system = Math.max(system, micros(match, 4));
    }
  }

  private static long micros(Matcher match, int group) {
    String fraction = (match.group(group + 2) + "000000").substring(0, 6);
    return (number(match.group(group)) * 60 + number(match.group(group + 1))) * 1_000_000
        + number(fraction);
  }

  private static String text(int pid, String file) {
    try {
      byte[] bytes = Files.readAllBytes(Path.of("/proc/" + pid + "/" + file));
      return new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  private static long line(String text, String start) {
    return text.lines()
        .filter(l -> l.startsWith(start))
        .mapToLong(l -> number(l.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElse(0);
  }

  private static long number(String text) {
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }

  synchronized StepUsage usage() {
    return new StepUsage(
        user,
        system,
        1,
        of(t -> t.user + t.system),
        of(t -> t.resident),
        of(t -> t.virtual),
        of(t -> t.pageFaults),
        of(t -> t.read),
        of(t -> t.written));
  }

  private StepUsage.OfTasks of(ToLongFunction<TaskUse> quantity) {
    long value = quantity.applyAsLong(this);
    return new StepUsage.OfTasks(value, node, task, value);
  }
}
