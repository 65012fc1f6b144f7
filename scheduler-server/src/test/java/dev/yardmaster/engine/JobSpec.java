package dev.yardmaster.engine;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBatch;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.text.Dependency;
import dev.yardmaster.model.text.Distribution;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A job as one would submit it, with sbatch's short options. */
public final class JobSpec {
  private String name = "job";
  private String user = "alice";
  private List<String> partitions = List.of();
  private JobRequest request = JobRequest.oneTask().withMemory(new MemoryRequest.PerCpu(1000));
  private long minutes = 10;
  private UnaryOperator<Job> change = job -> job;

  public static JobSpec job(String name) {
    JobSpec spec = new JobSpec();
    spec.name = name;
    return spec;
  }

  public JobSpec user(String value) {
    user = value;
    return this;
  }

  /** {@code -A}. */
  public JobSpec account(String value) {
    return also(j -> j.withOwner(withAccount(j.owner(), value)));
  }

  /** {@code -q}. */
  public JobSpec qos(String value) {
    return also(j -> j.withOwner(withQos(j.owner(), value)));
  }

  public JobSpec p(String... names) {
    partitions = List.of(names);
    return this;
  }

  private JobSpec request(UnaryOperator<JobRequest> r) {
    request = r.apply(request);
    return this;
  }

  /** {@code -N n}. */
  public JobSpec nodes(int n) {
    return nodes(n, n);
  }

  /** {@code -N min-max}. */
  public JobSpec nodes(int min, int max) {
    return request(r -> r.with(b -> b.minNodes(min).maxNodes(max).nodesGiven(true)));
  }

  /** {@code -n n}. */
  public JobSpec tasks(int n) {
    return request(
        r ->
            r.with(
                b ->
                    b.tasks(n)
                        .tasksGiven(true)
                        .maxNodes(r.nodesGiven() ? r.maxNodes() : Math.max(r.minNodes(), n))));
  }

  public JobSpec cpusPerTask(int n) {
    return request(r -> r.withCpusPerTask(n));
  }

  public JobSpec tasksPerNode(int n) {
    return request(r -> r.withTasksPerNode(n));
  }

  /** {@code --gres=gpu:n}. */
  public JobSpec gpus(int n) {
    return gres(new GresRequest("gpu", null, n, GresRequest.Scope.NODE));
  }

  public JobSpec gres(GresRequest gres) {
    List<GresRequest> all = new ArrayList<>(request.gres());
    all.add(gres);
    return request(r -> r.withGres(all));
  }

  /** {@code --mem}. */
  public JobSpec mem(long mib) {
    return request(r -> r.withMemory(new MemoryRequest.PerNode(mib)));
  }

  public JobSpec memPerGpu(long mib) {
    return request(r -> r.withMemory(new MemoryRequest.PerGpu(mib)));
  }

  /** {@code -w}. */
  public JobSpec on(String hosts) {
    return request(r -> r.withRequiredNodes(HostList.parse(hosts)));
  }

  /** {@code -x}. */
  public JobSpec not(String hosts) {
    return request(r -> r.withExcludedNodes(HostList.parse(hosts)));
  }

  /** {@code -C}. */
  public JobSpec features(String text) {
    return request(r -> r.withFeatures(FeatureExpression.parse(text)));
  }

  public JobSpec exclusive() {
    return request(r -> r.withExclusivity(Exclusivity.NODE));
  }

  public JobSpec exclusiveUser() {
    return request(r -> r.withExclusivity(Exclusivity.USER));
  }

  public JobSpec contiguous() {
    return request(r -> r.withContiguous(true));
  }

  public JobSpec license(String license, int count) {
    TreeMap<String, Integer> all = new TreeMap<>(request.licenses());
    all.put(license, count);
    return request(r -> r.withLicenses(all));
  }

  public JobSpec requestOf(UnaryOperator<JobRequest> r) {
    return request(r);
  }

  /** {@code -t}. */
  public JobSpec minutes(long n) {
    minutes = n;
    return this;
  }

  public JobSpec runs(Duration runtime) {
    return also(j -> j.withSimulatedRuntime(runtime));
  }

  public JobSpec held() {
    return also(j -> j.withHold(Hold.USER));
  }

  public JobSpec after(String dependency) {
    return also(j -> j.withDependency(Dependency.parse(dependency)));
  }

  public JobSpec priority(long value) {
    return also(j -> j.withDirectPriority(value));
  }

  /** {@code --array=0-(n-1)%throttle}. */
  public JobSpec array(int n, int throttle) {
    return also(j -> j.withArray(new ArrayInfo(j.id(), null, IndexSet.range(0, n - 1), throttle)));
  }

  public JobSpec also(UnaryOperator<Job> more) {
    UnaryOperator<Job> before = change;
    change = job -> more.apply(before.apply(job));
    return this;
  }

  /**
   * Reads sbatch's options, and a few words of tests: {@code -u user}, {@code --begin=+minutes},
   * {@code --deadline=+minutes}.
   */
  public static JobSpec parse(String name, List<String> options, Instant now) {
    JobSpec spec = job(name);
    for (int i = 0; i < options.size(); i++) {
      String option = options.get(i);
      String value = "";
      if (option.startsWith("--")) {
        int equals = option.indexOf('=');
        value = equals < 0 ? "" : option.substring(equals + 1);
        option = equals < 0 ? option : option.substring(0, equals);
      } else if (option.equals("-H")) {
        spec.held();
        continue;
      } else if (option.equals("-s")) {
        value = "";
      } else if (option.length() == 2) {
        value = options.get(++i);
      } else {
        value = option.substring(2);
        option = option.substring(0, 2);
      }
      spec.option(option, value, now);
    }
    return spec;
  }

  private void option(String option, String value, Instant now) {
    switch (option) {
      case "-J" -> also(j -> j.withName(value));
      case "-u" -> user(value);
      case "-q" -> qos(value);
      case "-A" -> account(value);
      case "--kill-on-invalid-dep" -> also(j -> j.withBatch(j.batch().withKillOnInvalidDep(value)));
      case "--no-requeue" -> also(j -> j.withRequeue(false));
      case "-p" -> p(value.split(","));
      case "-N" -> {
        String[] ends = value.split("-");
        nodes(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
      }
      case "-n" -> tasks(Integer.parseInt(value));
      case "-c" -> cpusPerTask(Integer.parseInt(value));
      case "-t" -> {
        boolean open = value.equals("open");
        minutes(open ? Partition.UNLIMITED : TimeLimits.parseMinutes(value));
        also(j -> j.withLimitOpen(open));
      }
      case "-w" -> on(value);
      case "-x" -> not(value);
      case "-C" -> features(value);
      case "-d" -> after(value);
      case "-L" -> {
        for (String one : value.split("[,|]")) {
          String[] parts = one.split(":");
          license(parts[0], Integer.parseInt(parts[1]));
        }
        request(r -> r.withLicensesText(value));
      }
      case "--gres", "--gpus-per-node" -> gres(value, GresRequest.Scope.NODE);
      case "--gpus" -> gres(value, GresRequest.Scope.JOB);
      case "--gpus-per-task" -> gres(value, GresRequest.Scope.TASK);
      case "--gpus-per-socket" -> gres(value, GresRequest.Scope.SOCKET);
      case "--cpus-per-gpu" -> request(r -> r.withCpusPerGpu(Integer.parseInt(value)));
      case "--sockets-per-node" -> request(r -> r.withSocketsPerNode(Integer.parseInt(value)));
      case "--ntasks-per-gpu" -> request(r -> r.withTasksPerGpu(Integer.parseInt(value)));
      case "--ntasks-per-node" -> tasksPerNode(Integer.parseInt(value));
      case "--ntasks-per-socket" -> request(r -> r.withTasksPerSocket(Integer.parseInt(value)));
      case "--mem" -> mem(Long.parseLong(value));
      case "--mem-per-gpu" -> memPerGpu(Long.parseLong(value));
      case "-s" -> request(r -> r.withExclusivity(Exclusivity.OVERSUBSCRIBE));
      case "--exclusive" -> {
        switch (value) {
          case "user" -> exclusiveUser();
          case "topo" -> request(r -> r.withExclusivity(Exclusivity.TOPO));
          case "mcs" -> request(r -> r.withExclusivity(Exclusivity.MCS));
          default -> exclusive();
        }
      }
      case "--prefer" -> request(r -> r.withPrefer(FeatureExpression.parse(value)));
      case "--tres-per-task" -> gres(value.replace("gres/", ""), GresRequest.Scope.TASK);
      case "--gres-flags" ->
          request(
              r ->
                  r.withEnforceBinding(value.contains("enforce-binding"))
                      .withOneTaskPerSharing(value.contains("one-task-per-sharing")));
      case "-m" -> request(r -> r.withDistribution(Distribution.parse(value)));
      case "--spread-job" -> request(r -> r.withSpread(true));
      case "--ntasks-per-core" -> request(r -> r.withTasksPerCore(Integer.parseInt(value)));
      case "--threads-per-core" -> request(r -> r.withThreadsPerCore(Integer.parseInt(value)));
      case "--tmp" -> request(r -> r.withTmpDiskMib(Long.parseLong(value)));
      case "--external" -> request(r -> r.withExternal(true));
      case "--contiguous" -> contiguous();
      case "--priority" -> priority(Long.parseLong(value));
      case "--nice" -> also(j -> j.withNice(Integer.parseInt(value)));
      case "--time-min" -> also(j -> j.withTimeMinMinutes(TimeLimits.parseMinutes(value)));
      case "--signal" -> also(j -> j.withBatch(j.batch().withSignal(value)));
      case "--reservation" -> also(j -> j.withReservation(value));
      case "--begin" -> also(j -> j.withBegin(later(now, value)));
      case "--deadline" -> also(j -> j.withDeadline(later(now, value)));
      case "--spread-segments" -> request(r -> r.withSpreadSegments(true));
      case "--consolidate-segments" -> request(r -> r.withConsolidateSegments(true));
      case "--segment" -> request(r -> r.withSegment(Integer.parseInt(value)));
      case "--switches" -> switches(value);
      case "--array" -> {
        String[] parts = value.split("%");
        int throttle = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
        also(j -> j.withArray(new ArrayInfo(j.id(), null, IndexSet.parse(parts[0]), throttle)));
      }
      default -> throw new IllegalArgumentException("option " + option);
    }
  }

  private void switches(String value) {
    String[] parts = value.split("@");
    int count = Integer.parseInt(parts[0]);
    long wait = parts.length > 1 ? TimeLimits.parseSeconds(parts[1]) : 0;
    request(r -> r.with(b -> b.switches(count).switchesWaitSeconds(wait)));
  }

  private static Instant later(Instant now, String minutes) {
    return now.plusSeconds(60L * Integer.parseInt(minutes.substring(1)));
  }

  private void gres(String text, GresRequest.Scope scope) {
    for (String one : text.split(",")) {
      String[] parts = one.split(":");
      if (parts[0].matches("shard|mps")) {
        gres(new GresRequest(parts[0], null, Long.parseLong(parts[1]), scope));
        continue;
      }
      int from = parts[0].equals("gpu") ? 1 : 0;
      String type = parts.length - from > 1 ? parts[from] : null;
      boolean counted = parts[parts.length - 1].matches("[0-9]+");
      if (!counted) {
        type = parts.length > from ? parts[from] : null;
      }
      long count = counted ? Long.parseLong(parts[parts.length - 1]) : 1;
      if (count > 0) {
        gres(new GresRequest("gpu", type, count, scope));
      }
    }
  }

  Job build(int id, Instant now, ClusterState state) {
    List<String> in =
        partitions.isEmpty()
            ? List.of(state.config().defaultPartition().orElseThrow().name())
            : partitions;
    int uid = 1000 + Math.floorMod(user.charAt(0) - 'a', 26);
    Job job =
        Job.waiting(
                id,
                name,
                new JobOwner(user, uid, user, uid, "lab", "normal", ""),
                in,
                request,
                new JobBatch(true, "", "sbatch", "/", "", "", "", "", "vm"),
                minutes,
                now)
            .with(j -> j.eligible(null).accrues(null));
    return change.apply(job);
  }

  private static JobOwner withAccount(JobOwner o, String account) {
    return new JobOwner(o.user(), o.uid(), o.group(), o.gid(), account, o.qos(), o.wckey());
  }

  private static JobOwner withQos(JobOwner o, String qos) {
    return new JobOwner(o.user(), o.uid(), o.group(), o.gid(), o.account(), qos, o.wckey());
  }
}
