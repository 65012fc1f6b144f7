package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.RunningSteps;
import dev.yardmaster.model.StepRecord;
import dev.yardmaster.model.StepUsage;
import dev.yardmaster.model.UsedStep;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** sstat(1): what the steps of running jobs have used so far. */
final class Sstat implements Command {
  private static final List<String> TABLE =
      List.of(
          "a allsteps",
          "e helpformat",
          "h help",
          "i pidformat",
          "j jobs:",
          "n noheader",
          "o format:",
          "o fields:",
          "noconvert",
          "p parsable",
          "P parsable2",
          "usage",
          "v verbose",
          "V version");

  private static final String STANDARD =
      "jobid,maxvmsize,maxvmsizenode,maxvmsizetask,avevmsize,maxrss,maxrssnode,maxrsstask,averss,"
          + "maxpages,maxpagesnode,maxpagestask,avepages,mincpu,mincpunode,mincputask,avecpu,ntasks,"
          + "maxdiskread,maxdiskreadnode,maxdiskreadtask,avediskread,maxdiskwrite,maxdiskwritenode,"
          + "maxdiskwritetask,avediskwrite";

  /** Widths by column, in Slurm's order. */
  private static final List<Map.Entry<String, Integer>> WIDTHS =
      List.of(
          Map.entry("AveCPU", 10),
          Map.entry("AveDiskRead", 12),
          Map.entry("AveDiskWrite", 12),
          Map.entry("AvePages", 10),
          Map.entry("AveRSS", 10),
          Map.entry("AveVMSize", 10),
          Map.entry("JobID", -12),
          Map.entry("MaxDiskRead", 12),
          Map.entry("MaxDiskReadNode", 15),
          Map.entry("MaxDiskReadTask", 15),
          Map.entry("MaxDiskWrite", 12),
          Map.entry("MaxDiskWriteNode", 16),
          Map.entry("MaxDiskWriteTask", 16),
          Map.entry("MaxPages", 8),
          Map.entry("MaxPagesNode", 12),
          Map.entry("MaxPagesTask", 14),
          Map.entry("MaxRSS", 10),
          Map.entry("MaxRSSNode", 10),
          Map.entry("MaxRSSTask", 10),
          Map.entry("MaxVMSize", 10),
          Map.entry("MaxVMSizeNode", 14),
          Map.entry("MaxVMSizeTask", 14),
          Map.entry("MinCPU", 10),
          Map.entry("MinCPUNode", 10),
          Map.entry("MinCPUTask", 10),
          Map.entry("NTasks", 8));

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed = new GetOpt("sstat", 1, false, TABLE).parse(arguments);
    if (Usage.answers(
        parsed,
        """
        Usage: sstat [OPTION...] -j JOB[.STEP]
        Tells what the steps of running jobs have used so far.
        """,
        "sstat(1)",
        TABLE,
        "Usage: sstat [options] -j <job(.stepid)>\n\tUse --help for help",
        io)) {
      return 0;
    }
    List<PrintFields.Field<UsedStep>> known = fields(new Amounts(null, parsed.has("noconvert")));
    if (parsed.has("helpformat")) {
      io.out().println(String.join(" ", WIDTHS.stream().map(Map.Entry::getKey).toList()));
      return 0;
    }
    String jobs = parsed.last("jobs");
    if (jobs == null) {
      throw new CommandFailure(1, "You didn't give me any jobs to stat.");
    }
    String format = parsed.last("format") == null ? parsed.last("fields") : parsed.last("format");
    PrintFields.Style style =
        parsed.has("parsable2")
            ? PrintFields.Style.BARS_BETWEEN
            : parsed.has("parsable") ? PrintFields.Style.BARS : PrintFields.Style.COLUMNS;
    PrintFields<UsedStep> table =
        new PrintFields<>(known, format == null ? STANDARD : format, style);
    try (SchedulerClient client = Session.open("sstat", io)) {
      RunningSteps running = client.runningSteps();
      if (!parsed.has("noheader")) {
        table.header().forEach(io.out()::println);
      }
      int exit = 0;
      for (String job : Formats.list(jobs)) {
        List<UsedStep> steps = of(job, parsed.has("allsteps"), running);
        if (steps.isEmpty()) {
          io.err().println("sstat: error: couldn't get steps for job " + job);
          exit = 1;
        }
        steps.forEach(step -> io.out().println(table.line(step)));
      }
      return exit;
    } catch (ClientException e) {
      throw new CommandFailure(1, "sstat: error: " + Session.words(e));
    }
  }

  /** The steps that are meant: the one named, all with -a, else the first that srun started. */
  private static List<UsedStep> of(String id, boolean all, RunningSteps running) {
    int dot = id.indexOf('.');
    String job = dot < 0 ? id : id.substring(0, dot);
    String step = dot < 0 ? "" : id.substring(dot + 1);
    List<UsedStep> found = new ArrayList<>();
    for (UsedStep used : running.used()) {
      boolean named = step.isEmpty() || step.equals(name(used));
      if (Integer.toString(used.jobId()).equals(job) && named) {
        found.add(used);
      }
    }
    found.sort(Comparator.comparing(used -> used.stepId() < 0 ? 1 << 30 : used.stepId()));
    boolean one = step.isEmpty() && !all && !found.isEmpty();
    return one ? List.of(found.getFirst()) : found;
  }

  private static String name(UsedStep used) {
    return used.stepId() == StepRecord.BATCH ? "batch" : Integer.toString(used.stepId());
  }

  private static List<PrintFields.Field<UsedStep>> fields(Amounts amounts) {
    Map<String, Function<StepUsage, String>> texts = UsageColumns.all(amounts);
    List<PrintFields.Field<UsedStep>> fields = new ArrayList<>();
    for (Map.Entry<String, Integer> column : WIDTHS) {
      String name = column.getKey();
      Function<StepUsage, String> text = texts.get(name);
      fields.add(
          new PrintFields.Field<>(
              name.toLowerCase(Locale.ROOT),
              name,
              column.getValue(),
              used ->
                  text != null
                      ? text.apply(used.usage())
                      : name.equals("JobID")
                          ? used.jobId() + "." + name(used)
                          : Integer.toString(used.usage().tasks())));
    }
    return fields;
  }
}
