package dev.yardmaster.cli;

import static dev.yardmaster.cli.JobFacts.NOT_APPLICABLE;
import static dev.yardmaster.cli.JobFacts.NULL;

import dev.yardmaster.model.ArrayInfo;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The columns of {@code squeue --steps}, by letter for {@code -o} and by name for {@code -O}. The
 * script of a running batch job is a step, too.
 */
final class StepColumns {
  private final ColumnTable<JobFacts> table = new ColumnTable<>();

  StepColumns(String cluster) {
    identity(cluster);
    add("S StartTime", "START_TIME", f -> f.instant(f.stepStart(), NOT_APPLICABLE));
    fixed("l TimeLimit", "TIME_LIMIT", "UNLIMITED");
    table.addWhole("M TimeUsed", "TIME", false, text -> true, JobFacts::stepTime);
    fixed("Runtime", "RUNTIME", NULL);
    add("StepState", "STATE", f -> f.state().toString());
    add("N Nodes", "NODELIST", f -> f.step() == null ? f.batchHost() : f.step().nodes().toString());
    add("NumCPUs", "NUM_CPUS", f -> f.step() == null ? "0" : Integer.toString(f.step().cpus()));
    add("A NumTasks", "TASKS", f -> f.step() == null ? "1" : Integer.toString(f.step().tasks()));
    fixed("CPUFreq", "CPU_FREQ", "0-0:0");
    fixed("Container", "CONTAINER", NULL);
    fixed("ContainerId", "CONTAINERID", NULL);
    fixed("Network", "NETWORK", NULL);
    fixed("ResvPorts", "RESERVED_PORTS", NULL);
    for (String file : new String[] {"StdErr", "StdIn", "StdOut"}) {
      fixed(file, file.toUpperCase(Locale.ROOT), "");
    }
    tres();
    table.withoutLetter("arrayjobid");
  }

  Map<Character, Layout.Field<JobFacts>> letters() {
    return table.letters();
  }

  Map<String, Layout.Field<JobFacts>> names() {
    return table.names();
  }

  private void identity(String cluster) {
    add(
        "ArrayJobId",
        "ARRAY_JOB_ID",
        f -> f.job().array() == null ? "0" : Integer.toString(f.arrayJobId()));
    add("ArrayTaskId", "ARRAY_TASK_ID", f -> task(f.job().array()));
    fixed("Cluster", "CLUSTER", cluster);
    add("JobId", "JOB_ID", f -> Integer.toString(f.job().id()));
    add("P Partition", "PARTITION", JobFacts::partition);
    add("i StepId", "STEPID", JobFacts::stepId);
    add("j StepName", "NAME", f -> f.step() == null ? "batch" : f.step().name());
    add("U UserId", "UID", f -> Integer.toString(f.job().owner().uid()));
    add("u UserName", "USER", f -> f.job().owner().user());
  }

  private static String task(@Nullable ArrayInfo array) {
    return array == null || array.taskId() == null ? NOT_APPLICABLE : array.taskId().toString();
  }

  /** What steps ask for of trackable resources, which they do not say on their own. */
  private void tres() {
    fixed("cpus-per-tres", "CPUS_PER_TRES", NULL);
    fixed("mem-per-tres", "MEM_PER_TRES", NULL);
    fixed("tres-bind", "TRES_BIND", NULL);
    fixed("tres-freq", "TRES_FREQ", NULL);
    fixed("tres-per-job tres-per-step", "TRES_PER_STEP", NULL);
    // The head that Slurm gives to what a step asks for on each node.
    fixed("b Gres tres-per-node", "TRES_PER_JOB", NULL);
    fixed("tres-per-socket", "TRES_PER_SOCKET", NULL);
    fixed("tres-per-task", "TRES_PER_TASK", NULL);
  }

  private void add(String keys, String header, Function<JobFacts, String> text) {
    table.add(keys, header, text);
  }

  private void fixed(String keys, String header, String text) {
    table.fixed(keys, header, text);
  }
}
