package dev.yardmaster.engine;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBatch;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.PriorityFactors;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.text.Dependency;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.HostList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A job as one would submit it, with sbatch's short options. */
public final class JobSpec {
  private String name = "job";
  private String user = "alice";
  private List<String> partitions = List.of();
  private JobRequest request =
      JobRequest.oneTask()
          .with(r -> r.memory(new MemoryRequest.PerCpu(1000)).maxNodes(Integer.MAX_VALUE));
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
    return request(r -> r.with(b -> b.minNodes(min).maxNodes(max)));
  }

  /** {@code -n n}. */
  public JobSpec tasks(int n) {
    return request(r -> r.with(b -> b.tasks(n).tasksGiven(true)));
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

  Job build(int id, Instant now, ClusterState state) {
    List<String> in =
        partitions.isEmpty()
            ? List.of(state.config().defaultPartition().orElseThrow().name())
            : partitions;
    int uid = 1000 + Math.floorMod(user.charAt(0) - 'a', 26);
    Job job =
        new Job(
            id,
            null,
            null,
            name,
            new JobOwner(user, uid, user, uid, "lab", "normal", ""),
            in,
            request,
            new JobBatch(true, "", "sbatch", "/", "", "", "", "", "vm"),
            "",
            "",
            null,
            null,
            minutes,
            0,
            null,
            null,
            true,
            0,
            null,
            Hold.NONE,
            JobState.PENDING,
            Set.of(),
            Reason.NONE,
            "",
            0,
            PriorityFactors.ZERO,
            now,
            null,
            null,
            null,
            null,
            0,
            ExitCode.OK,
            ExitCode.OK,
            null,
            null,
            null);
    return change.apply(job);
  }
}
