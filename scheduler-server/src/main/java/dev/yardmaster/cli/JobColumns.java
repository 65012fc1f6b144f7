package dev.yardmaster.cli;

import static dev.yardmaster.cli.JobFacts.NOT_APPLICABLE;
import static dev.yardmaster.cli.JobFacts.NULL;
import static dev.yardmaster.cli.JobFacts.orElse;
import static dev.yardmaster.cli.JobFacts.orNull;

import dev.yardmaster.model.CronEntry;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.HetInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.text.TimeLimits;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** The columns of squeue(1), by letter for {@code -o} and by name for {@code -O}. */
final class JobColumns {
  private final TresText tres;
  private final String cluster;
  private final ToIntFunction<Job> associations;
  private final boolean expands;
  private final boolean raw;
  private final ColumnTable<JobFacts> table = new ColumnTable<>();

  /**
   * The columns of jobs.
   *
   * @param associations the id of the association of a job
   * @param expands whether the patterns of files are filled in
   * @param raw whether amounts stay in MiB
   */
  JobColumns(TresText tres, ToIntFunction<Job> associations, boolean expands, boolean raw) {
    this.tres = tres;
    this.associations = associations;
    this.expands = expands;
    this.raw = raw;
    cluster = tres.cluster();
    identity();
    request();
    placement();
    times();
    rest();
    table.withoutLetter("accruetime");
  }

  Map<Character, Layout.Field<JobFacts>> letters() {
    return table.letters();
  }

  Map<String, Layout.Field<JobFacts>> names() {
    return table.names();
  }

  private void add(String keys, String header, Function<JobFacts, String> text) {
    table.add(keys, header, text);
  }

  private void fixed(String keys, String header, String text) {
    table.fixed(keys, header, text);
  }

  private void identity() {
    add("a account", "ACCOUNT", f -> orNull(f.job().owner().account()));
    add("i jobarrayid", "JOBID", JobFacts::id);
    add("A jobid", "JOBID", f -> Integer.toString(f.job().id()));
    add("F arrayjobid", "ARRAY_JOB_ID", f -> Integer.toString(f.arrayJobId()));
    add("K arraytaskid", "ARRAY_TASK_ID", JobFacts::arrayTasks);
    add("hetjobid packjobid", "HET_JOB_ID", f -> het(f.job(), h -> Integer.toString(h.hetJobId())));
    add(
        "hetjoboffset packjoboffset",
        "HET_JOB_OFFSET",
        f -> het(f.job(), h -> Integer.toString(h.offset())));
    add("hetjobidset packjobidset", "HET_JOB_ID_SET", f -> het(f.job(), HetInfo::idSet));
    add("g groupname", "GROUP", f -> f.job().owner().group());
    add("G groupid", "GROUP", f -> Integer.toString(f.job().owner().gid()));
    add("u username", "USER", f -> f.job().owner().user());
    add("U userid", "UID", f -> Integer.toString(f.job().owner().uid()));
    add("j name", "NAME", f -> f.job().name());
    add("k comment", "COMMENT", f -> orNull(f.job().comment()));
    add("admin_comment", "ADMIN_COMMENT", f -> orNull(f.job().adminComment()));
    fixed("system_comment", "SYSTEM_COMMENT", NULL);
    add("q qos", "QOS", f -> orNull(f.job().owner().qos()));
    add("w wckey", "WCKEY", f -> orNull(f.job().owner().wckey()));
    add(
        "v reservation",
        "RESERVATION",
        f -> f.job().reservation() == null ? NULL : f.job().reservation());
    add("P partition", "PARTITION", JobFacts::partition);
    add("s sluid", "SLUID", f -> Sluid.of(cluster, f.job().submitted(), f.job().id()));
    add("associd", "ASSOC_ID", f -> Integer.toString(associations.applyAsInt(f.job())));
    fixed("cluster", "CLUSTER", cluster);
    add("allocnodes", "ALLOC_NODES", f -> f.job().batch().submitHost());
    fixed("allocsid", "ALLOC_SID", "0");
    fixed("origin", "ORIGIN", "NA");
    fixed("originraw", "ORIGIN_RAW", "NA");
    fixed("siblingsactive", "ACTIVE_SIBLINGS", "NA");
    fixed("siblingsactiveraw", "ACTIVE_SIBLINGS_RAW", "NA");
    fixed("siblingsviable", "VIABLE_SIBLINGS", "NA");
    // Slurm's own spelling, which scripts look for.
    fixed("siblingsviableraw", "VIALBLE_SIBLINGS_RAW", "NA");
    fixed("mcslabel", "MCSLABEL", NULL);
  }

  private static String het(Job job, Function<HetInfo, String> text) {
    return job.het() == null ? NOT_APPLICABLE : text.apply(job.het());
  }

  private void request() {
    add(
        "b tres-per-node gres",
        "TRES_PER_NODE",
        f -> TresOptions.per(f.job(), GresRequest.Scope.NODE));
    add("tres-per-job", "TRES_PER_JOB", f -> TresOptions.per(f.job(), GresRequest.Scope.JOB));
    add(
        "tres-per-socket",
        "TRES_PER_SOCKET",
        f -> TresOptions.per(f.job(), GresRequest.Scope.SOCKET));
    add("tres-per-task", "TRES_PER_TASK", f -> TresOptions.perTask(f.job()));
    add("tres-bind", "TRES_BIND", f -> TresOptions.bind(f.job()));
    add("tres-freq", "TRES_FREQ", f -> TresOptions.frequency(f.job()));
    add("cpus-per-tres", "CPUS_PER_TRES", f -> TresOptions.cpusPerTres(f.job()));
    add("mem-per-tres", "MEM_PER_TRES", f -> TresOptions.memoryPerTres(f.job()));
    add("c mincpus", "MIN_CPUS", f -> Integer.toString(f.minCpus()));
    add(
        "d mintmpdisk",
        "MIN_TMP_DISK",
        f -> raw ? f.job().request().tmpDiskMib() + "M" : f.tmpDisk());
    add("f feature", "FEATURES", JobFacts::features);
    add("prefer", "PREFER", JobFacts::prefer);
    add("h oversubscribe shared", "OVER_SUBSCRIBE", JobFacts::overSubscribe);
    add(
        "m minmemory",
        "MIN_MEMORY",
        f -> raw ? f.job().request().memory().mib() + "M" : f.minMemory());
    table.addWhole(
        "n reqnodes",
        "REQ_NODES",
        false,
        s -> true,
        f -> f.job().request().requiredNodes().toString());
    table.addWhole(
        "x excnodes",
        "EXC_NODES",
        false,
        s -> true,
        f -> f.job().request().excludedNodes().toString());
    add("E dependency", "DEPENDENCY", JobFacts::dependency);
    add("H sockets", "SOCKETS_PER_NODE", f -> orElse(f.job().request().socketsPerNode(), "*"));
    add("I cores", "CORES_PER_SOCKET", f -> orElse(f.job().request().coresPerSocket(), "*"));
    add("J threads", "THREADS_PER_CORE", f -> orElse(f.job().request().threadsPerCore(), "*"));
    add(
        "z sct",
        "S:C:T",
        f ->
            orElse(f.job().request().socketsPerNode(), "*")
                + ":"
                + orElse(f.job().request().coresPerSocket(), "*")
                + ":"
                + orElse(f.job().request().threadsPerCore(), "*"));
    add("O contiguous", "CONTIGUOUS", f -> f.job().request().contiguous() ? "1" : "0");
    add("W licenses", "LICENSES", JobFacts::licenses);
    add("X corespec", "CORE_SPEC", f -> orElse(f.job().request().coreSpec(), NOT_APPLICABLE));
    add(
        "cpus-per-task cpuspertask",
        "CPUS_PER_TASK",
        f -> Integer.toString(f.job().request().cpusPerTask()));
    fixed("boardspernode", "BOARDS_PER_NODE", "0");
    fixed("sperboard", "SOCKETS_PER_BOARD", "0");
    add("segmentsize", "SEGMENT_SIZE", f -> orElse(f.job().request().segment(), NOT_APPLICABLE));
    add("exclusive", "EXCLUSIVE", f -> JobText.exclusive(f.job().request().exclusivity()));
    add("licensesalloc", "LICENSES_ALLOC", JobFacts::heldLicenses);
    fixed("ntperboard", "NTASKS_PER_BOARD", "0");
    add(
        "ntpercore",
        "NTASKS_PER_CORE",
        f -> orElse(f.job().request().tasksPerCore(), NOT_APPLICABLE));
    add("ntpernode", "NTASKS_PER_NODE", f -> Integer.toString(f.job().request().tasksPerNode()));
    add(
        "ntpersocket",
        "NTASKS_PER_SOCKET",
        f -> orElse(f.job().request().tasksPerSocket(), NOT_APPLICABLE));
    add("numtasks", "TASKS", f -> Integer.toString(Math.max(1, f.job().request().tasks())));
    add("reqswitch", "REQ_SWITCH", f -> Integer.toString(f.job().request().switches()));
    fixed("clusterfeature", "CLUSTER_FEATURES", NULL);
    fixed("container", "CONTAINER", NULL);
    fixed("containerid", "CONTAINERID", NULL);
    fixed("burstbuffer", "BURST_BUFFER", NULL);
    fixed("burstbufferstate", "BURST_BUFFER_STATE", NULL);
    add("cronjob", "CRON_JOB", f -> CronEntry.recurring(f.job()) == null ? "No" : "Yes");
    add("network", "NETWORK", f -> orNull(TresOptions.option(f.job(), "network")));
    add("profile", "PROFILE", f -> TresOptions.profile(f.job()));
    add("reboot", "REBOOT", f -> TresOptions.reboot(f.job()));
    add("requeue", "REQUEUE", f -> f.job().requeue() ? "1" : "0");
  }

  private void placement() {
    add("B batchhost", "EXEC_HOST", JobFacts::batchHost);
    add("C numcpus", "CPUS", f -> Integer.toString(f.cpus()));
    add("D numnodes", "NODES", f -> Integer.toString(f.nodeCount()));
    add("maxcpus", "MAX_CPUS", f -> Integer.toString(f.cpus()));
    add("maxnodes", "MAX_NODES", f -> Integer.toString(f.mostNodes()));
    table.addWhole("N nodelist", "NODELIST", true, s -> true, f -> f.nodes().toString());
    table.addWhole(
        "R reasonlist", "NODELIST(REASON)", true, s -> !s.startsWith("("), JobFacts::nodesOrReason);
    table.addWhole("Y schednodes", "SCHEDNODES", true, s -> true, JobFacts::planned);
    add(
        "tres-alloc tres",
        "TRES_ALLOC",
        f ->
            f.isPending() || f.job().allocation() == null
                ? tres.requested(f.job())
                : tres.allocated(f.job()));
  }

  private void times() {
    add("e endtime", "END_TIME", f -> f.instant(f.end(), NOT_APPLICABLE));
    table.addWhole("l timelimit", "TIME_LIMIT", false, s -> true, JobFacts::timeLimit);
    table.addWhole("L timeleft", "TIME_LEFT", false, s -> true, JobFacts::timeLeft);
    table.addWhole("M timeused", "TIME", false, s -> true, JobFacts::timeUsed);
    add("S starttime", "START_TIME", f -> f.instant(f.start(), NOT_APPLICABLE));
    add("V submittime", "SUBMIT_TIME", f -> f.instant(f.job().submitted(), NOT_APPLICABLE));
    add("eligibletime", "ELIGIBLE_TIME", f -> f.instant(f.eligible(), NOT_APPLICABLE));
    add("accruetime", "ACCRUE_TIME", f -> f.instant(f.accrues(), NOT_APPLICABLE));
    add("deadline", "DEADLINE", f -> f.instant(f.job().deadline(), NOT_APPLICABLE));
    add("lastschedeval", "LAST_SCHED_EVAL", f -> f.instant(f.evaluated(), NOT_APPLICABLE));
    add("mintime", "TIME_MIN", f -> TimeLimits.formatSqueue(60 * f.job().timeMinMinutes()));
    fixed("resizetime", "RESIZE_TIME", NOT_APPLICABLE);
    add("delayboot", "DELAY_BOOT", f -> TimeLimits.formatSqueue(TresOptions.delayBoot(f.job())));
    add("pendingtime", "PENDING_TIME", f -> Long.toString(f.pendingSeconds()));
    add("preempttime", "PREEMPT_TIME", f -> f.instant(f.preempted(), NOT_APPLICABLE));
    fixed("runtime", "RUNTIME", NULL);
    add(
        "wait4switch",
        "WAIT4SWITCH",
        f -> TimeLimits.formatSqueue(f.job().request().switchesWaitSeconds()));
    add("restartcnt", "RESTART_COUNT", f -> Integer.toString(f.job().restarts()));
  }

  private void rest() {
    add("t statecompact", "ST", f -> f.state().code());
    add("T state", "STATE", f -> f.state().toString());
    add("r reason", "REASON", JobFacts::reason);
    add(
        "p priority",
        "PRIORITY",
        f -> String.format(Locale.ROOT, "%16.14f", f.job().priority() / 4294967296.0));
    add("Q prioritylong", "PRIORITY", f -> Long.toString(f.job().priority()));
    add("y nice", "NICE", f -> Integer.toString(f.job().nice()));
    add("o command", "COMMAND", f -> orNull(f.job().batch().command()));
    add("Z workdir", "WORK_DIR", f -> f.job().batch().workDir());
    add("batchflag", "BATCH_FLAG", f -> f.job().batch().batch() ? "1" : "0");
    add("exit_code", "EXIT_CODE", f -> f.job().exitCode().toString());
    add("derivedec", "DERIVED_EC", f -> f.job().derivedExitCode().toString());
    add("stdin", "STDIN", f -> expands ? f.stdin() : f.stdinPattern());
    add("stdout", "STDOUT", f -> expands ? f.stdout() : f.stdoutPattern());
    add("stderr", "STDERR", f -> orNull(expands ? f.stderr() : f.stderrPattern()));
  }
}
