package dev.yardmaster.cli;

import dev.yardmaster.model.StepUsage;
import dev.yardmaster.model.StepUsage.OfTasks;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The columns of sacct(1) and sstat(1) that tell what a step has used, by name. */
final class UsageColumns {
  private static final long SECOND = 1_000_000;

  private UsageColumns() {}

  static Map<String, Function<StepUsage, String>> all(Amounts amounts) {
    Map<String, Function<StepUsage, String>> all = new LinkedHashMap<>();
    all.put("AveCPU", u -> seconds(average(u, u.cpu())));
    all.put("AveDiskRead", u -> amounts.plain(average(u, u.read())));
    all.put("AveDiskWrite", u -> amounts.plain(average(u, u.written())));
    all.put("AvePages", u -> amounts.plain(average(u, u.pageFaults())));
    all.put("AveRSS", u -> amounts.plain(average(u, u.resident())));
    all.put("AveVMSize", u -> amounts.plain(average(u, u.virtual())));
    most(all, "MaxDiskRead", amounts, StepUsage::read);
    most(all, "MaxDiskWrite", amounts, StepUsage::written);
    most(all, "MaxPages", amounts, StepUsage::pageFaults);
    most(all, "MaxRSS", amounts, StepUsage::resident);
    most(all, "MaxVMSize", amounts, StepUsage::virtual);
    all.put("MinCPU", u -> seconds(u.cpu().value()));
    all.put("MinCPUNode", u -> u.cpu().node());
    all.put("MinCPUTask", u -> Integer.toString(u.cpu().task()));
    return all;
  }

  private static void most(
      Map<String, Function<StepUsage, String>> all,
      String name,
      Amounts amounts,
      Function<StepUsage, OfTasks> of) {
    all.put(name, u -> amounts.plain(of.apply(u).value()));
    all.put(name + "Node", u -> of.apply(u).node());
    all.put(name + "Task", u -> Integer.toString(of.apply(u).task()));
  }

  private static long average(StepUsage usage, OfTasks of) {
    return of.sum() / Math.max(1, usage.tasks());
  }

  private static String seconds(long micros) {
    return time(micros / SECOND * SECOND);
  }

  /** Time on CPUs: {@code MM:SS.mmm}, from an hour on {@code HH:MM:SS}, from a day on with days. */
  static String time(long micros) {
    long all = micros / SECOND;
    long days = all / 86_400;
    long hours = all / 3600 % 24;
    long minutes = all / 60 % 60;
    long seconds = all % 60;
    long millis = micros % SECOND / 1000;
    if (days > 0) {
      return String.format(Locale.ROOT, "%d-%02d:%02d:%02d", days, hours, minutes, seconds);
    }
    return hours > 0 || millis == 0
        ? String.format(Locale.ROOT, "%02d:%02d:%02d", hours, minutes, seconds)
        : String.format(Locale.ROOT, "%02d:%02d.%03d", minutes, seconds, millis);
  }
}
