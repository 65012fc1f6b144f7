package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.limit.Enforcement;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.explain.Remedy.Lever;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Allocation;
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
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.Memory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Changes of the job itself that are worth a try. Those that cannot matter are left out. */
final class JobLevers {
  private final ClusterState state;
  private final Instant now;
  private final Job job;
  private final JobRequest request;
  private final Fork fork;
  private final List<Candidate> found = new ArrayList<>();

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
    lessMemory();
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
    int floor = (int) Math.max(1, request.requiredNodes().size());
    for (int n : steps(least, floor)) {
      found.add(
          fork.request(
              Lever.FEWER_NODES,
              Integer.toString(least),
              Integer.toString(n),
              "numnodes",
              r -> withNodes(r, n)));
    }
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
      for (int n : steps((int) g.count(), leastGpus(g))) {
        gres(Lever.FEWER_GPUS, at, new GresRequest(g.name(), g.type(), n, g.scope()));
      }
      if (g.type() != null) {
        gres(Lever.OTHER_GPU_TYPE, at, new GresRequest(g.name(), null, g.count(), g.scope()));
        for (String type : gpuTypes()) {
          if (!type.equals(g.type())) {
            gres(Lever.OTHER_GPU_TYPE, at, new GresRequest(g.name(), type, g.count(), g.scope()));
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

  private void gres(Lever lever, int at, GresRequest changed) {
    List<GresRequest> all = new ArrayList<>(request.gres());
    all.set(at, changed);
    JobRequest after = request.withGres(all);
    GresRequest.Scope scope = changed.scope();
    found.add(
        fork.request(
            lever,
            Fork.gres(request, scope),
            Fork.gres(after, scope),
            Fork.gresField(scope),
            r -> after));
  }

  /** What is free on some node now, and fractions of what is asked for. */
  private void lessMemory() {
    MemoryRequest memory = request.memory();
    if (memory.mib() <= 1 || memory instanceof MemoryRequest.PerGpu) {
      return;
    }
    boolean perNode = memory instanceof MemoryRequest.PerNode;
    TreeSet<Long> amounts = new TreeSet<>();
    if (perNode) {
      freeMemory().forEach(mib -> amounts.add(rounded(mib)));
    }
    for (long percent : new long[] {75, 50, 25, 10}) {
      amounts.add(rounded(memory.mib() * percent / 100));
    }
    amounts.removeIf(mib -> mib < 1 || mib >= memory.mib());
    for (long mib : amounts.descendingSet()) {
      MemoryRequest less = perNode ? new MemoryRequest.PerNode(mib) : new MemoryRequest.PerCpu(mib);
      found.add(
          fork.request(
              Lever.LESS_MEMORY,
              Memory.format(memory.mib()),
              Memory.format(mib),
              perNode ? "minmemorynode" : "minmemorycpu",
              r -> r.withMemory(less)));
    }
  }

  /** A whole number of GiB where there is one. */
  private static long rounded(long mib) {
    return mib >= 1024 ? mib - mib % 1024 : mib;
  }

  private TreeSet<Long> freeMemory() {
    TreeMap<String, Long> free = new TreeMap<>();
    for (Node known : state.nodes().values()) {
      NodeSpec node = known.spec();
      free.put(node.name(), node.realMemoryMib() - node.memSpecLimitMib());
    }
    for (Job other : state.jobs().values()) {
      Allocation allocation = other.allocation();
      if (other.holdsResources() && allocation != null) {
        allocation.shares().forEach(s -> free.merge(s.node(), -s.memoryMib(), Long::sum));
      }
    }
    return new TreeSet<>(free.values());
  }

  private void fewerCpus() {
    for (int n : steps(request.cpusPerTask(), 1)) {
      found.add(
          fork.request(
              Lever.FEWER_CPUS,
              Integer.toString(request.cpusPerTask()),
              Integer.toString(n),
              "cpuspertask",
              r -> r.withCpusPerTask(n)));
    }
    if (request.tasksGiven()) {
      for (int n : steps(request.tasks(), Math.max(1, request.minNodes()))) {
        found.add(
            fork.request(
                Lever.FEWER_CPUS,
                Integer.toString(request.tasks()),
                Integer.toString(n),
                "numtasks",
                r -> r.withTasks(n)));
      }
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
