package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.Dependencies;
import dev.yardmaster.engine.gate.Takings;
import dev.yardmaster.engine.gate.Why;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.priority.Priorities;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.PlannedStart;
import dev.yardmaster.model.PriorityFactors;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.text.Dependency;
import java.time.Instant;
import java.util.BitSet;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** What a pass learns about one pending job. */
final class Ticket {
  final Job job;
  final @Nullable Instant eligible;
  final @Nullable Instant accrues;

  /** Whether no pass has looked at the job before. */
  final boolean isNew;

  /** The tasks of an array record that still wait in this pass; null for other jobs. */
  final @Nullable BitSet waitingTasks;

  private @Nullable Dependency dependency;
  private Priorities.Result priority;
  private Priorities.@Nullable Result shown;
  private @Nullable TreeSet<String> admitted;
  private Reason reason;
  private String reasonText;
  private @Nullable Gate gate;
  private boolean tested;
  private @Nullable PlannedStart before;
  private @Nullable Spot spot;
  private boolean started;
  private boolean startedOne;
  private boolean barred;
  private Rehearsal.@Nullable Part part;
  private int nodes;
  private @Nullable IntSupplier cpus;

  Ticket(
      Job job, Priorities.Result priority, @Nullable Instant eligible, @Nullable Instant accrues) {
    this.job = job;
    this.priority = priority;
    this.eligible = eligible;
    this.accrues = accrues;
    isNew = job.lastEvaluated() == null;
    reason = job.reason();
    reasonText = job.reasonText();
    before = job.planned();
    dependency = job.dependency();
    nodes = job.expectedNodes();
    waitingTasks =
        job.array() != null && job.array().taskId() == null
            ? job.array().waiting().toBitSet()
            : null;
  }

  /** The job with the priority that this pass gave it. */
  Job current() {
    return job.withPriority(priority.priority());
  }

  /**
   * The job failed a gate, and Slurm's reason says so; that the nodes of one partition can never
   * host it says nothing where another may, and of partitions that start nothing the first counts.
   */
  void fail(Gate failed, Why why, boolean inFull) {
    boolean several = job.partitions().size() > 1;
    if (several && isRule(why.reason())) {
      // what is to be said of it was said before the pass
      gate = gate == null ? failed : gate;
      return;
    }
    boolean elsewhere = gate != null && several;
    if (elsewhere && why.reason() == Reason.BAD_CONSTRAINTS && reason != why.reason()) {
      return;
    }
    gate = failed;
    tested = inFull;
    reason = why.reason();
    reasonText = why.text();
  }

  /**
   * What the job still waits for.
   *
   * @param left null for nothing
   */
  void dependsOn(@Nullable Dependency left) {
    dependency = left;
  }

  /** The job was tried on nodes, and would get so many; 0 for none. */
  void wouldGet(int number) {
    nodes = number > 0 ? number : nodes;
  }

  /** The job fits on nodes by now, or once others have left; what it would take there is known. */
  void fitsOn(Board board, Shape shape, @Nullable Choice choice) {
    if (choice != null) {
      cpus = () -> Takings.cpus(board, job, shape, choice);
    }
  }

  /** The CPUs it would take where it was last tried. */
  private int triedCpus() {
    return cpus == null ? job.triedCpus() : cpus.getAsInt();
  }

  /** The job is not in the queue; its turn comes only for an explanation. */
  void bar() {
    barred = true;
  }

  boolean barred() {
    return barred;
  }

  /** This is no job of the queue but the place of one, where changes of it are tried. */
  void stageFor(Rehearsal.Part asked) {
    part = asked;
  }

  Rehearsal.@Nullable Part part() {
    return part;
  }

  /** Whether nothing more is to be tried here. */
  void settle(boolean answered) {
    started |= answered;
  }

  /** The same place for a changed job. */
  Ticket of(Job changed) {
    return changed == job ? this : new Ticket(changed, priority, eligible, accrues);
  }

  /** The job stopped at a gate, without a change to what Slurm shows. */
  void stopAt(@Nullable Gate failed) {
    gate = failed;
    tested = true;
  }

  /**
   * The job was passed over because a job ahead waits: its reason becomes Priority unless an
   * earlier test of it found something more telling.
   */
  void passOver() {
    if (gate == null) {
      gate = Gate.PRIORITY;
    }
    if (isOfPolicy()) {
      return;
    }
    switch (reason) {
      case REQ_NODE_NOT_AVAIL, LICENSES, PARTITION_CONFIG, RESERVATION -> {}
      default -> {
        reason = Reason.PRIORITY;
        reasonText = "";
      }
    }
  }

  /** One of the same reservation waits ahead of the job, which says so whatever it said before. */
  void waitBehind() {
    if (gate == null) {
      gate = Gate.PRIORITY;
    }
    reason = Reason.PRIORITY;
    reasonText = "";
  }

  /** A task of an array says what the record of it says that was rejected before, as in Slurm. */
  void waitAs(Ticket sibling) {
    gate = sibling.gate;
    if (reason != sibling.reason) {
      reason = sibling.reason;
      reasonText = "";
    }
  }

  /** A component of a heterogeneous job waits until all of them have nodes. */
  void waitForNodes() {
    if (!isOfPolicy()) {
      reason = Reason.RESOURCES;
      reasonText = "";
    }
    if (gate == null) {
      gate = Gate.COMPONENTS;
    }
  }

  /** No limit stops the job, and nothing is known of its place: it says nothing, as in Slurm. */
  void withinLimits() {
    if (reason.isLimit()) {
      reason = Reason.NONE;
      reasonText = "";
    }
  }

  /**
   * A rule of the site, found by an earlier pass, does not hold the job back any more. Where no
   * limit stops it in the place that is planned for it, it says nothing until it is tested, as in
   * Slurm.
   *
   * @param planned whether limits were looked at for its place
   */
  void withinPolicy(boolean planned) {
    if (planned && reason.isLimit()) {
      reason = Reason.NONE;
      reasonText = "";
    } else if (isOfPolicy() && (gate == null || gate == Gate.PRIORITY)) {
      reason = Reason.PRIORITY;
      reasonText = "";
    }
  }

  /** Such a reason stands whatever the jobs ahead do. */
  private boolean isOfPolicy() {
    return switch (reason) {
      case PARTITION_NODE_LIMIT, PARTITION_TIME_LIMIT, MAX_MEM_PER_LIMIT -> true;
      default -> reason.isLimit();
    };
  }

  /** A partition may take the job by its rules. */
  void mayBeIn(String partition) {
    if (admitted == null) {
      admitted = new TreeSet<>();
    }
    admitted.add(partition);
  }

  /**
   * The job's turn came in one of its partitions: from then on it shows its priority there, as in
   * Slurm.
   */
  void lookedAt(Entry entry) {
    if (admitted != null && admitted.contains(entry.partition())) {
      shown = entry.priority();
    }
  }

  /** A partition may take the job: what the rules of another say does not count any more. */
  void passRules() {
    if (isRule(reason)) {
      reason = Reason.NONE;
      reasonText = "";
    }
  }

  /** The partition starts jobs: that it did not when a pass looked before is no reason any more. */
  void partitionSchedules() {
    if (reason == Reason.PARTITION_DOWN || reason == Reason.PARTITION_INACTIVE) {
      reason = Reason.NONE;
      reasonText = "";
    }
  }

  /** Whether a reason tells a rule of a partition that is looked at before the queue is made. */
  static boolean isRule(Reason reason) {
    return switch (reason) {
      case PARTITION_DOWN, PARTITION_INACTIVE, PARTITION_NODE_LIMIT, PARTITION_TIME_LIMIT -> true;
      default -> false;
    };
  }

  void show(Why why) {
    reason = why.reason();
    reasonText = why.text();
  }

  void plan(Spot found) {
    spot = found;
  }

  /**
   * The job could start then, and keeps no nodes for it. As in Slurm the last of its partitions
   * counts, and the nodes planned before stay.
   */
  void startsAt(Spot found) {
    spot = spot == null ? found.withoutNodes() : spot.at(found.start());
  }

  /** What an earlier pass planned for the job does not hold any more. */
  void forgetPlan() {
    before = null;
    spot = null;
  }

  /** Where this pass plans the job; null for nowhere. */
  @Nullable Spot spot() {
    return spot;
  }

  /**
   * The job, or a task of the array, was started.
   *
   * @param there its priority in the partition in which it starts
   */
  void startOne(Priorities.Result there) {
    startedOne = true;
    shown = null;
    started = waitingTasks == null || waitingTasks.isEmpty();
    if (waitingTasks == null) {
      priority = there;
    }
  }

  /** The priority, which is that in the first partition until the job starts in another. */
  Priorities.Result priority() {
    return priority;
  }

  /** Whether the job, or any task of the array, was started. */
  boolean startedOne() {
    return startedOne;
  }

  /** Whether nothing of it waits any more. */
  boolean started() {
    return started;
  }

  /** The planned start of this pass, else what is left of earlier ones. */
  private @Nullable PlannedStart planned() {
    return spot == null ? before : spot.named();
  }

  @Nullable Gate gate() {
    return gate;
  }

  boolean tested() {
    return tested;
  }

  /** Whether this pass has tried it in another partition, which lacks nodes. */
  boolean lacksNodesElsewhere() {
    return tested && reason == Reason.RESOURCES;
  }

  Reason reason() {
    return reason;
  }

  /** What is to be published about the job with another priority. */
  Event.Assessment with(Priorities.Result there) {
    return new Event.Assessment(
        job.id(),
        reason,
        reasonText,
        there.priority(),
        there.factors(),
        eligible,
        accrues,
        planned(),
        dependency,
        nodes,
        triedCpus());
  }

  /** What is to be published about the job, or null when nothing changed. */
  Event.@Nullable Assessment changed() {
    PlannedStart planned = planned();
    int triedCpus = triedCpus();
    boolean same =
        reason == job.reason()
            && reasonText.equals(job.reasonText())
            && shownPriority() == job.priority()
            && nodes == job.expectedNodes()
            && same(shown().factors(), job.factors())
            && triedCpus == job.triedCpus()
            && java.util.Objects.equals(dependency, job.dependency())
            && java.util.Objects.equals(eligible, job.eligible())
            && java.util.Objects.equals(accrues, job.accrues())
            && samePlan(planned, job.planned());
    return same && job.lastEvaluated() != null
        ? null
        : new Event.Assessment(
            job.id(),
            reason,
            reasonText,
            shownPriority(),
            shown().factors(),
            eligible,
            accrues,
            planned,
            dependency,
            nodes,
            triedCpus);
  }

  /** Mostly the very object that an earlier pass made, which is quickly seen. */
  private static boolean same(PriorityFactors a, PriorityFactors b) {
    return a == b || a.equals(b);
  }

  /** A request that can never be met is held by the system: it shows priority 0. */
  private long shownPriority() {
    if (neverHadAChance()) {
      return Dependencies.NOT_SET;
    }
    boolean hopeless = reason == Reason.BAD_CONSTRAINTS && !startedOne && spot == null;
    return hopeless ? 0 : shown().priority();
  }

  private Priorities.Result shown() {
    return shown == null ? priority : shown;
  }

  private boolean neverHadAChance() {
    return reason == Reason.DEPENDENCY_NEVER_SATISFIED && job.priority() == Dependencies.NOT_SET;
  }

  private static boolean samePlan(@Nullable PlannedStart a, @Nullable PlannedStart b) {
    if (a == b) {
      return true;
    }
    return a != null
        && b != null
        && a.start().equals(b.start())
        && a.nodes().equals(b.nodes())
        && a.partition().equals(b.partition());
  }
}
