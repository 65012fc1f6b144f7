package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.limit.Enforcement;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.explain.Remedy.Lever;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Changes of the job itself that are worth a try. Those that cannot matter are left out. */
final class JobLevers {
  /** So many values are tried between two others. */
  private static final int MOST_BETWEEN = 40;

  private final ClusterState state;
  private final Instant now;
  private final Job job;
  private final JobRequest request;
  private final Fork fork;
  private final List<Candidate> found = new ArrayList<>();
  private final Map<String, Gap> gaps = new TreeMap<>();

  JobLevers(ClusterState state, Instant now, Job job, Fork fork) {
    this.state = state;
    this.now = now;
    this.job = job;
    this.request = job.request();
    this.fork = fork;
  }

  List<Candidate> all() {
    release();
    beginNow();
    dropDependency();
    throttle();
    withinPartition();
    otherPartition();
    otherQos();
    fewerNodes();
    gres();
    found.addAll(new MemoryLevers(state, job, fork).all());
    fewerCpus();
    drops();
    return found;
  }

  private void release() {
    if (job.hold() != Hold.NONE) {
      found.add(
          fork.with(
              Lever.RELEASE,
              job.hold() == Hold.USER ? "JobHeldUser" : "JobHeldAdmin",
              "",
              "scontrol release " + fork.commandId(),
              job.hold() == Hold.USER,
              j -> j.withHold(Hold.NONE)));
    }
  }

  private void beginNow() {
    Instant begin = job.begin();
    if (begin != null && begin.isAfter(now)) {
      found.add(
          fork.job(
              Lever.BEGIN_NOW, begin.toString(), "now", "starttime", true, j -> j.withBegin(null)));
    }
  }

  private void dropDependency() {
    var dependency = job.dependency();
    if (dependency != null && !dependency.isEmpty()) {
      found.add(
          fork.job(
              Lever.DROP_DEPENDENCY,
              dependency.asked().toString(),
              "",
              "dependency",
              true,
              j -> j.withDependency(null)));
    }
  }

  /** One more than run, or than may: the throttle may have been lowered since they started. */
  private void throttle() {
    ArrayInfo array = job.array();
    if (array == null || array.throttle() <= 0) {
      return;
    }
    ClusterState raised = state;
    int running = 0;
    List<Job> waiting = new ArrayList<>();
    for (Job other : state.jobs().values()) {
      ArrayInfo theirs = other.array();
      if (theirs != null && theirs.arrayJobId() == array.arrayJobId()) {
        running += other.holdsResources() ? 1 : 0;
        if (other.state() == JobState.PENDING) {
          waiting.add(other);
        }
      }
    }
    int more = Math.max(array.throttle(), running) + 1;
    for (Job other : waiting) {
      ArrayInfo theirs = Objects.requireNonNull(other.array());
      Job changed = other.withArray(theirs.withThrottle(more));
      raised = raised.apply(new Event.JobEdited(now, changed, "", Lever.RAISE_THROTTLE.name()));
    }
    found.add(
        new Candidate(
            Lever.RAISE_THROTTLE,
            Integer.toString(array.throttle()),
            Integer.toString(more),
            raised,
            "scontrol update job=" + array.arrayJobId() + " arraytaskthrottle=" + more,
            true));
  }

  private void withinPartition() {
    for (String name : job.partitions()) {
      Partition p = state.partitions().get(name);
      if (p != null && p.maxTimeMinutes() > 0 && exceeds(p.maxTimeMinutes())) {
        found.add(timeLimit(Lever.TIME_LIMIT_WITHIN_PARTITION, p.maxTimeMinutes()));
      }
    }
  }

  private boolean exceeds(long minutes) {
    return job.timeLimitMinutes() == Partition.UNLIMITED || job.timeLimitMinutes() > minutes;
  }

  /** The job with another time limit. */
  Candidate timeLimit(Lever lever, long minutes) {
    return fork.job(
        lever,
        Fork.time(job.timeLimitMinutes()),
        Fork.time(minutes),
        "timelimit",
        true,
        j -> limited(j, minutes));
  }

  static Job limited(Job job, long minutes) {
    return job.with(b -> b.timeLimitMinutes(minutes).timeMinMinutes(0));
  }

  private void otherPartition() {
    for (Partition p : state.partitions().values()) {
      if (!job.partitions().contains(p.name()) && p.state().startsJobs() && p.state().takesJobs()) {
        found.add(
            fork.job(
                Lever.OTHER_PARTITION,
                String.join(",", job.partitions()),
                p.name(),
                "partition",
                true,
                j -> j.withPartitions(List.of(p.name()))));
      }
    }
  }

  private void otherQos() {
    Accounting accounting = state.accounting();
    JobOwner owner = job.owner();
    Association own = accounting.find(owner.user(), owner.account(), job.partition());
    if (own == null || !Enforcement.of(state.config()).tracked()) {
      return;
    }
    for (String name : accounting.qosOf(own)) {
      if (!name.equals(owner.qos()) && accounting.qos().containsKey(name)) {
        found.add(
            fork.job(
                Lever.OTHER_QOS,
                owner.qos(),
                name,
                "qos",
                true,
                j ->
                    j.withOwner(
                        new JobOwner(
                            owner.user(),
                            owner.uid(),
                            owner.group(),
                            owner.gid(),
                            owner.account(),
                            name,
                            owner.wckey()))));
      }
    }
  }

  private void fewerNodes() {
    int least = request.minNodes();
    scale(
        least,
        (int) Math.max(1, request.requiredNodes().size()),
        n ->
            fork.request(
                Lever.FEWER_NODES,
                Integer.toString(least),
                Integer.toString(n),
                "numnodes",
                r -> withNodes(r, n)));
  }

  /** Less of an amount: some values are tried, and those between them when one helps. */
  private void scale(int from, int floor, IntFunction<Candidate> at) {
    int above = from;
    for (int n : steps(from, floor)) {
      Candidate candidate = at.apply(n);
      found.add(candidate);
      gaps.put(candidate.command(), new Gap(n, above, at));
      above = n;
    }
  }

  /** The values between one that is tried and the next above it that is. */
  private record Gap(int value, int above, IntFunction<Candidate> at) {}

  /** Changes of the same kind that take less away than a candidate does, the mildest first. */
  List<Candidate> milder(Candidate candidate) {
    Gap gap = gaps.get(candidate.command());
    List<Candidate> milder = new ArrayList<>();
    if (gap != null) {
      int step = Math.max(1, Math.ceilDiv(gap.above - gap.value, MOST_BETWEEN));
      for (int n = gap.above - 1; n > gap.value; n -= step) {
        milder.add(gap.at.apply(n));
      }
    }
    return milder;
  }

  /** Values below {@code from} worth a try: one less, then ever larger steps down to the floor. */
  private static List<Integer> steps(int from, int floor) {
    TreeSet<Integer> values = new TreeSet<>();
    for (int step = 1; from - step >= floor; step *= 2) {
      values.add(from - step);
    }
    if (from > floor) {
      values.add(floor);
    }
    return List.copyOf(values.descendingSet());
  }

  /**
   * Fewer nodes with fewer GPUs on each: two fields of one command, worth a try where neither alone
   * helps.
   */
  List<Candidate> pairs() {
    List<Candidate> pairs = new ArrayList<>();
    for (int i = 0; i < request.gres().size(); i++) {
      GresRequest g = request.gres().get(i);
      boolean counted = g.scope() == GresRequest.Scope.NODE || g.scope() == GresRequest.Scope.JOB;
      if (!g.name().equals("gpu") || !counted) {
        continue;
      }
      for (int nodes :
          steps(request.minNodes(), (int) Math.max(1, request.requiredNodes().size()))) {
        int least = g.scope() == GresRequest.Scope.JOB ? nodes : 1;
        for (int gpus : steps((int) g.count(), least)) {
          List<GresRequest> all = new ArrayList<>(request.gres());
          all.set(i, new GresRequest(g.name(), g.type(), gpus, g.scope()));
          JobRequest after = withNodes(request.withGres(all), nodes);
          pairs.add(
              fork.with(
                  Lever.FEWER_GPUS,
                  request.minNodes() + " x " + Fork.gres(request, g.scope()),
                  nodes + " x " + Fork.gres(after, g.scope()),
                  "scontrol update job="
                      + fork.commandId()
                      + " numnodes="
                      + nodes
                      + " "
                      + Fork.gresField(g.scope())
                      + "="
                      + Fork.gres(after, g.scope()),
                  true,
                  j -> j.withRequest(after)));
        }
      }
    }
    return pairs;
  }

  private static JobRequest withNodes(JobRequest r, int n) {
    return r.with(b -> b.minNodes(n).maxNodes(n).nodesGiven(true).tasks(Math.max(r.tasks(), n)));
  }

  private void gres() {
    for (int i = 0; i < request.gres().size(); i++) {
      GresRequest g = request.gres().get(i);
      if (!g.name().equals("gpu")) {
        continue;
      }
      int at = i;
      scale(
          (int) g.count(),
          leastGpus(g),
          n -> gres(Lever.FEWER_GPUS, at, new GresRequest(g.name(), g.type(), n, g.scope())));
      if (g.type() != null) {
        found.add(
            gres(Lever.OTHER_GPU_TYPE, at, new GresRequest(g.name(), null, g.count(), g.scope())));
        for (String type : gpuTypes()) {
          if (!type.equals(g.type())) {
            found.add(
                gres(
                    Lever.OTHER_GPU_TYPE,
                    at,
                    new GresRequest(g.name(), type, g.count(), g.scope())));
          }
        }
      }
    }
  }

  /** Every node of a job has one of the GPUs that are counted over the whole job. */
  private int leastGpus(GresRequest g) {
    return g.scope() == GresRequest.Scope.JOB ? Math.max(1, request.minNodes()) : 1;
  }

  private TreeSet<String> gpuTypes() {
    TreeSet<String> types = new TreeSet<>();
    for (Node node : state.nodes().values()) {
      node.spec()
          .gres()
          .forEach(
              g -> {
                String type = g.type();
                if (g.name().equals("gpu") && type != null) {
                  types.add(type);
                }
              });
    }
    return types;
  }

  private Candidate gres(Lever lever, int at, GresRequest changed) {
    List<GresRequest> all = new ArrayList<>(request.gres());
    all.set(at, changed);
    JobRequest after = request.withGres(all);
    GresRequest.Scope scope = changed.scope();
    return fork.request(
        lever,
        Fork.gres(request, scope),
        Fork.gres(after, scope),
        Fork.gresField(scope),
        r -> after);
  }

  private void fewerCpus() {
    scale(
        request.cpusPerTask(),
        1,
        n ->
            fork.request(
                Lever.FEWER_CPUS,
                Integer.toString(request.cpusPerTask()),
                Integer.toString(n),
                "cpuspertask",
                r -> r.withCpusPerTask(n)));
    if (request.tasksGiven()) {
      scale(
          request.tasks(),
          Math.max(1, request.minNodes()),
          n ->
              fork.request(
                  Lever.FEWER_CPUS,
                  Integer.toString(request.tasks()),
                  Integer.toString(n),
                  "numtasks",
                  r -> r.withTasks(n)));
    }
  }

  private void drops() {
    var features = request.features();
    if (features != null) {
      found.add(
          fork.request(
              Lever.DROP_FEATURES, features.toString(), "", "features", r -> r.withFeatures(null)));
    }
    dropList(request.requiredNodes(), "reqnodelist", r -> r.withRequiredNodes(HostList.EMPTY));
    dropList(request.excludedNodes(), "excnodelist", r -> r.withExcludedNodes(HostList.EMPTY));
    if (request.exclusivity() == Exclusivity.NODE) {
      // scontrol(1): only a privileged user can change OverSubscribe
      found.add(
          fork.job(
              Lever.DROP_EXCLUSIVE,
              "no",
              "yes",
              "oversubscribe",
              false,
              j -> j.withRequest(request.withExclusivity(Exclusivity.OVERSUBSCRIBE))));
    }
    if (request.contiguous()) {
      found.add(
          fork.request(
              Lever.DROP_CONTIGUOUS, "yes", "no", "contiguous", r -> r.withContiguous(false)));
    }
    if (request.switches() > 0) {
      found.add(
          fork.request(
              Lever.DROP_SWITCHES,
              Integer.toString(request.switches()),
              "0",
              "switches",
              r -> r.with(b -> b.switches(0).switchesWaitSeconds(0))));
    }
    if (request.segment() > 0) {
      found.add(
          fork.request(
              Lever.DROP_SEGMENT,
              Integer.toString(request.segment()),
              "0",
              "segmentsize",
              r -> r.withSegment(0)));
    }
    if (!request.licenses().isEmpty()) {
      found.add(
          fork.request(
              Lever.DROP_LICENSES,
              request.licenses().entrySet().stream()
                  .map(l -> l.getKey() + ":" + l.getValue())
                  .collect(Collectors.joining(",")),
              "",
              "licenses",
              r -> r.with(b -> b.licenses(Immutable.sortedMap()).licensesText(""))));
    }
    String reservation = job.reservation();
    if (reservation != null) {
      found.add(
          fork.job(
              Lever.LEAVE_RESERVATION,
              reservation,
              "",
              "reservationname",
              true,
              j -> j.withReservation(null)));
    }
  }

  private void dropList(
      @Nullable HostList list, String field, java.util.function.UnaryOperator<JobRequest> edit) {
    if (list != null && !list.isEmpty()) {
      found.add(fork.request(Lever.DROP_NODELIST, list.toString(), "", field, edit));
    }
  }
}
