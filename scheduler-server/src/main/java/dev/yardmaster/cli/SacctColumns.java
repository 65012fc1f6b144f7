package dev.yardmaster.cli;

import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.StepRecord;
import dev.yardmaster.model.StepUsage;
import dev.yardmaster.model.Tres;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The columns of sacct(1), in the order of its --helpformat. What nodes do not measure is empty, as
 * where Slurm has no plugin that gathers it.
 */
final class SacctColumns {
  private static final String UNKNOWN = "Unknown";

  private final List<PrintFields.Field<SacctRow>> fields = new ArrayList<>();
  private final ZoneId zone;
  private final Amounts amounts;
  private final Map<String, Function<StepUsage, String>> usage;
  private final boolean expand;

  /**
   * @param expand whether the patterns in names of files are filled in
   */
  SacctColumns(ZoneId zone, Amounts amounts, boolean expand) {
    this.zone = zone;
    this.amounts = amounts;
    this.usage = UsageColumns.all(amounts);
    this.expand = expand;
    add();
  }

  /** All of them. */
  List<PrintFields.Field<SacctRow>> all() {
    return fields;
  }

  /** The columns by name, four in a row. */
  static List<String> help() {
    List<String> lines = new ArrayList<>();
    List<PrintFields.Field<SacctRow>> all =
        new SacctColumns(ZoneOffset.UTC, new Amounts(null, false), false).fields;
    for (int i = 0; i < all.size(); i += 4) {
      lines.add(
          all.subList(i, Math.min(i + 4, all.size())).stream()
              .map(f -> String.format(Locale.ROOT, "%-19s", f.option()))
              .collect(Collectors.joining(" ")));
    }
    return lines;
  }

  private void both(String name, int width, Function<SacctRow, String> text) {
    fields.add(new PrintFields.Field<>(name, name, width, text));
  }

  private void job(String name, int width, Function<SacctRow, String> text) {
    both(name, width, row -> row.isJob() ? text.apply(row) : "");
  }

  private void step(String name, int width, Function<StepRecord, String> text) {
    both(name, width, row -> row.step() == null ? "" : text.apply(row.step()));
  }

  /** What was measured of a step. */
  private void used(int width, String... names) {
    for (String name : names) {
      Function<StepUsage, String> text = Objects.requireNonNull(usage.get(name), name);
      step(name, width, s -> s.usage() instanceof StepUsage used ? text.apply(used) : "");
    }
  }

  /** That of a step, or of all steps of a job. */
  private static String cpuTime(SacctRow row, ToLongFunction<StepUsage> of) {
    List<StepRecord> steps = row.step() == null ? row.record().steps() : List.of(row.step());
    return UsageColumns.time(
        steps.stream()
            .mapToLong(s -> s.usage() instanceof StepUsage used ? of.applyAsLong(used) : 0)
            .sum());
  }

  /** What nobody measures here. */
  private void unmeasured(int width, String... names) {
    for (String name : names) {
      both(name, width, row -> "");
    }
  }

  private void add() {
    both("Account", 10, r -> r.job().owner().account());
    job("AdminComment", 15, r -> r.job().adminComment());
    both("AllocCPUS", 10, r -> Long.toString(r.cpus()));
    both("AllocNodes", 10, r -> Long.toString(r.allocated().get(Tres.NODE)));
    both("AllocTRES", 10, r -> amounts.tres(r.allocated().amounts()));
    both("AssocID", 7, r -> Integer.toString(r.record().association()));
    used(10, "AveCPU");
    step("AveCPUFreq", 10, s -> "0");
    used(14, "AveDiskRead", "AveDiskWrite");
    used(10, "AvePages", "AveRSS", "AveVMSize");
    unmeasured(16, "BlockID");
    both("Cluster", 10, r -> r.record().cluster());
    job("Comment", 14, r -> r.record().ended() == null ? "" : r.job().comment());
    job("Constraints", 19, r -> features(r.job()));
    both("ConsumedEnergy", 14, SacctColumns::energy);
    both("ConsumedEnergyRaw", 17, SacctColumns::energy);
    job("Container", 19, r -> shown(r, "container"));
    both("CPUTime", 10, r -> TimeLimits.format(r.cpus() * r.elapsed()));
    both("CPUTimeRAW", 10, r -> Long.toString(r.cpus() * r.elapsed()));
    both("DBIndex", -21, SacctColumns::index);
    job("DerivedExitCode", 15, r -> exit(r.job().derivedExitCode()));
    both("Elapsed", 10, r -> TimeLimits.format(r.elapsed()));
    both("ElapsedRaw", 10, r -> Long.toString(r.elapsed()));
    both("Eligible", 19, r -> time(r.isJob() ? r.record().eligible() : r.start()));
    both("End", 19, r -> time(r.end()));
    job("Exclusive", 14, r -> exclusive(r.job()));
    both("ExitCode", 8, r -> exit(r.exit()));
    job("Extra", 14, r -> shown(r, "extra"));
    job("FailedNode", 8, r -> r.record().failedNode());
    job("Flags", 19, r -> String.join(",", r.record().flags()));
    job("GID", 6, r -> Integer.toString(r.job().owner().gid()));
    job("Group", 9, r -> r.job().owner().group());
    both("JobID", -12, SacctRow::id);
    both("JobIDRaw", -12, SacctRow::rawId);
    both("JobName", 10, SacctRow::name);
    step("Layout", 9, SacctColumns::layout);
    job("Licenses", 10, this::licenses);
    used(12, "MaxDiskRead");
    used(15, "MaxDiskReadNode", "MaxDiskReadTask");
    used(12, "MaxDiskWrite");
    used(16, "MaxDiskWriteNode", "MaxDiskWriteTask");
    used(8, "MaxPages");
    used(12, "MaxPagesNode");
    used(14, "MaxPagesTask");
    used(10, "MaxRSS", "MaxRSSNode", "MaxRSSTask", "MaxVMSize");
    used(14, "MaxVMSizeNode", "MaxVMSizeTask");
    job("McsLabel", 12, r -> shown(r, "mcs-label"));
    used(10, "MinCPU", "MinCPUNode", "MinCPUTask");
    both("NCPUS", 10, r -> Long.toString(r.cpus()));
    both("NNodes", 8, r -> Long.toString(r.nodeCount()));
    both("NodeList", 15, SacctRow::nodes);
    step("NTasks", 8, s -> Integer.toString(s.tasks()));
    both("OriginalSLUID", 14, SacctColumns::sluid);
    job("OverSubscribe", 14, r -> over(r.job()));
    job("Partition", 10, SacctColumns::partition);
    job("Planned", 10, r -> TimeLimits.format(r.planned()));
    job("PlannedCPU", 10, r -> TimeLimits.format(plannedCpu(r)));
    job("PlannedCPURAW", 13, r -> Long.toString(plannedCpu(r)));
    job("Priority", 10, r -> Long.toString(r.record().priority()));
    job("QOS", 10, r -> r.job().owner().qos());
    job("QOSRAW", 6, r -> Integer.toString(r.record().qosId()));
    unmeasured(10, "QOSREQ");
    job("Reason", 22, r -> r.record().reason().text());
    both("ReqCPUFreq", 10, SacctColumns::frequency);
    both("ReqCPUFreqGov", 13, SacctColumns::frequency);
    both("ReqCPUFreqMax", 13, SacctColumns::frequency);
    both("ReqCPUFreqMin", 13, SacctColumns::frequency);
    both("ReqCPUS", 8, r -> Long.toString(requestedCpus(r)));
    job("ReqMem", 10, r -> amounts.memory(r.record().requested().memoryMib()));
    both("ReqNodes", 8, r -> amounts.plain(requested(r)));
    job("ReqTRES", 10, r -> amounts.tres(r.record().requested().amounts()));
    job("Reservation", 20, r -> Objects.requireNonNullElse(r.job().reservation(), ""));
    unmeasured(8, "ReservationId");
    unmeasured(20, "ReqReservation");
    job("Restarts", 8, r -> Integer.toString(r.job().restarts()));
    job("SegmentSize", 11, r -> orNothing(r.job().request().segment()));
    both("SLUID", 14, SacctColumns::sluid);
    both("Start", 19, r -> r.isNever() ? "None" : time(r.start()));
    both("State", 10, SacctRow::state);
    job("StdErr", 20, r -> file(r, JobFacts::stderrPattern, JobFacts::stderr));
    job("StdIn", 20, r -> file(r, JobFacts::stdinPattern, JobFacts::stdin));
    job("StdOut", 20, r -> file(r, JobFacts::stdoutPattern, JobFacts::stdout));
    both("Submit", 19, r -> time(r.isJob() ? r.record().submitted() : r.start()));
    job("SubmitLine", 20, r -> r.job().batch().submitLine());
    both("Suspended", 10, r -> TimeLimits.format(r.suspended()));
    unmeasured(15, "SystemComment");
    both("SystemCPU", 10, r -> cpuTime(r, StepUsage::systemMicros));
    both("Timelimit", 10, r -> limit(r, minutes -> TimeLimits.format(minutes * 60)));
    both("TimelimitRaw", 10, r -> limit(r, minutes -> Long.toString(minutes)));
    both("TotalCPU", 10, r -> cpuTime(r, StepUsage::totalMicros));
    unmeasured(14, "TRESUsageInAve", "TRESUsageInMax");
    unmeasured(18, "TRESUsageInMaxNode", "TRESUsageInMaxTask");
    unmeasured(14, "TRESUsageInMin");
    unmeasured(18, "TRESUsageInMinNode", "TRESUsageInMinTask");
    unmeasured(14, "TRESUsageInTot");
    unmeasured(15, "TRESUsageOutAve", "TRESUsageOutMax");
    unmeasured(19, "TRESUsageOutMaxNode", "TRESUsageOutMaxTask");
    unmeasured(15, "TRESUsageOutMin");
    unmeasured(19, "TRESUsageOutMinNode", "TRESUsageOutMinTask");
    unmeasured(15, "TRESUsageOutTot");
    job("UID", 6, r -> Integer.toString(r.job().owner().uid()));
    job("User", 9, r -> r.job().owner().user());
    both("UserCPU", 10, r -> cpuTime(r, StepUsage::userMicros));
    job("WCKey", 10, r -> r.job().owner().wckey());
    job("WCKeyID", 10, r -> Integer.toString(r.record().wckeyId()));
    job("WorkDir", 20, r -> r.job().batch().workDir());
  }

  private String time(@Nullable Instant instant) {
    return instant == null ? UNKNOWN : Instants.format(instant, zone);
  }

  private static String exit(ExitCode exit) {
    return exit.code() + ":" + exit.signal();
  }

  private static String orNothing(int number) {
    return number == 0 ? "" : Integer.toString(number);
  }

  private static String shown(SacctRow row, String option) {
    return row.job().batch().shown().getOrDefault(option, "");
  }

  private static String features(Job job) {
    return job.request().features() == null ? "" : job.request().features().toString();
  }

  /** What a job holds is counted without energy, which nothing measures. */
  private static String energy(SacctRow row) {
    return row.isJob() && row.record().started() != null ? "" : "0";
  }

  private static String sluid(SacctRow row) {
    return Sluid.of(row.record().cluster(), row.record().submitted(), row.job().id());
  }

  private static String index(SacctRow row) {
    return Long.toUnsignedString(
        Sluid.number(row.record().cluster(), row.record().submitted(), row.job().id()));
  }

  private static String exclusive(Job job) {
    Exclusivity how = job.request().exclusivity();
    return how == Exclusivity.DEFAULT || how == Exclusivity.OVERSUBSCRIBE ? "NO" : how.name();
  }

  private static String over(Job job) {
    return job.request().exclusivity() == Exclusivity.OVERSUBSCRIBE ? "YES" : "NO";
  }

  private static String partition(SacctRow row) {
    return row.record().started() == null
        ? String.join(",", row.job().partitions())
        : row.job().partition();
  }

  /** As srun chooses it: one task on each node in turn, when there are no more tasks than nodes. */
  private static String layout(StepRecord step) {
    return step.id() < 0 ? UNKNOWN : step.tasks() <= step.nodes().size() ? "Cyclic" : "Block";
  }

  private static String frequency(SacctRow row) {
    return row.step() != null && row.step().id() < 0 ? "0" : UNKNOWN;
  }

  private static long requestedCpus(SacctRow row) {
    return row.isJob() ? ReqTres.cpus(row.job().request()) : row.cpus();
  }

  private static long requested(SacctRow row) {
    return row.isJob() ? row.record().requested().get(Tres.NODE) : row.nodeCount();
  }

  private static long plannedCpu(SacctRow row) {
    return row.planned() * ReqTres.cpus(row.job().request());
  }

  private static String limit(SacctRow row, Function<Long, String> text) {
    if (row.step() != null) {
      long minutes = row.step().timeLimitMinutes();
      return minutes == Partition.UNLIMITED ? "" : text.apply(minutes);
    }
    long minutes = row.job().timeLimitMinutes();
    return minutes == Partition.UNLIMITED ? "UNLIMITED" : minutes == 0 ? "" : text.apply(minutes);
  }

  private String file(
      SacctRow row, Function<JobFacts, String> pattern, Function<JobFacts, String> filled) {
    if (!row.job().batch().batch()) {
      return "";
    }
    JobFacts facts = new JobFacts(row.job(), row.now(), zone);
    return (expand ? filled : pattern).apply(facts);
  }

  private String licenses(SacctRow row) {
    String text = new JobFacts(row.job(), row.now(), zone).licenses();
    return text.equals(JobFacts.NULL) ? "" : text;
  }
}
