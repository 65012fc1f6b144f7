package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.Collector;
import dev.yardmaster.engine.gate.Dependencies;
import dev.yardmaster.engine.gate.JobGates;
import dev.yardmaster.engine.gate.LimitGates;
import dev.yardmaster.engine.gate.PolicyGates;
import dev.yardmaster.engine.gate.Reservations;
import dev.yardmaster.engine.gate.Why;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Billing;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.Tres;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a forecast knows beyond a pass: when a rule that holds a job back now will let it go. Begin
 * times and dependencies name the moment; limits, licences and throttles are asked again, by the
 * same gates, at the ends of the jobs that share them, running and planned ones.
 *
 * <p>Jobs get their turn in the order of the queue: one that is planned counts from its planned
 * start to its end, for all behind it.
 */
final class Foreseen {
  /** How often rules are asked for one job, and for all: more would take too long. */
  private static final int MOST_TRIES = 2_000;

  private static final int MOST_TRIES_OF_ALL = 200_000;

  /** Seconds since the epoch. */
  private record Run(long start, long end) {}

  /** From when on a limit is known to let jobs through that ask for so much. */
  private record Open(long asked, long time) {}

  private final Board board;
  private final Board ahead;
  private final Agenda plan;
  private final long now;
  private final long first;
  private final TreeMap<Integer, Run> runs = new TreeMap<>();
  private final TreeMap<String, List<Open>> opens = new TreeMap<>();
  private final Refusal refusal = new Refusal();
  private int tries;

  Foreseen(Board board, Agenda plan, List<Entry> queue) {
    this.board = board;
    this.plan = plan;
    now = board.now().getEpochSecond();
    ahead = board.ahead();
    first = firstChange(queue);
  }

  /** Until something changes, nothing starts that does not start now. */
  private long firstChange(List<Entry> queue) {
    long next = Long.MAX_VALUE;
    for (Job job : board.holders()) {
      next = Math.min(next, job.ended() == null ? Long.MAX_VALUE : after(job.ended()));
    }
    for (Entry entry : queue) {
      Instant begin = entry.ticket().job.begin();
      next = begin == null || !begin.isAfter(board.now()) ? next : Math.min(next, after(begin));
    }
    for (Reservations.Booking b : board.reservations().bookings()) {
      next = Math.min(next, b.start() > now ? b.start() : b.end());
    }
    return next == Long.MAX_VALUE ? now + 1 : next;
  }

  private long after(Instant time) {
    return Math.max(now + 1, time.getEpochSecond());
  }

  /** Whether rules matter that change with time, beyond what a pass looks at. */
  static boolean matters(Board board, List<Entry> queue) {
    if (board.limits().enforces()) {
      return true;
    }
    for (Entry entry : queue) {
      Job job = entry.job();
      if (entry.ticket().barred() || job.array() != null || !job.request().licenses().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Whether a forecast can tell when a gate that a job fails will let it go. */
  static boolean canTell(Gate gate) {
    return gate == Gate.BEGIN_TIME || gate == Gate.DEPENDENCY || gate == Gate.ARRAY_THROTTLE;
  }

  /**
   * The earliest place in the plan at which the rules let a job start; null when none is known.
   *
   * @param minutes how long it will run
   */
  Plan.@Nullable Slot earliest(Job job, Shape shape, long minutes) {
    long from = Math.max(first, begin(job));
    if (from == Long.MAX_VALUE) {
      return null;
    }
    for (int i = 0; i < MOST_TRIES && tries < MOST_TRIES_OF_ALL; i++) {
      from = opens(job, shape, from);
      if (from >= plan.horizon()) {
        return null;
      }
      Plan.Slot slot = plan.earliest(job, shape, minutes, from);
      if (slot == null) {
        return null;
      }
      boolean later = slot.start() > from;
      from = Math.max(from, slot.start());
      if ((!later || allows(job, shape, from)) && allowsOn(job, shape, slot, from)) {
        return slot;
      }
      if (!refusal.waitingHelps) {
        return null;
      }
      from = later ? from : ahead.nextEnd(job, from);
    }
    return null;
  }

  /** Whether limits allow what it would take on planned nodes. */
  private boolean allowsOn(Job job, Shape shape, Plan.Slot slot, long time) {
    ahead.moveTo(time);
    refusal.forget();
    return !board.limits().enforces()
        || LimitGates.amounts(ahead, job, shape, slot.choice(), refusal);
  }

  /** When its begin time has come and its dependency is met. */
  private long begin(Job job) {
    Instant begin = job.begin();
    long from = begin == null ? Long.MIN_VALUE : begin.getEpochSecond();
    return Math.max(from, board.dependencies().met(job, expected));
  }

  /** The first moment from a time on at which the rules let a job start. */
  private long opens(Job job, Shape shape, long from) {
    long time = from;
    String firstRule = null;
    for (int i = 0; i < MOST_TRIES && tries < MOST_TRIES_OF_ALL; i++) {
      if (time >= plan.horizon() || allows(job, shape, time)) {
        return time;
      }
      if (!refusal.waitingHelps) {
        return Long.MAX_VALUE;
      }
      String rule = refusal.rule(job);
      long asked = refusal.asked();
      firstRule = firstRule == null ? rule : firstRule;
      boolean same = from == first && firstRule.equals(rule);
      long known = same ? known(rule, asked) : time;
      time = known > time ? known : ahead.nextEnd(job, time);
      if (same && time < Long.MAX_VALUE) {
        learn(rule, asked, time);
      }
    }
    return Long.MAX_VALUE;
  }

  private boolean allows(Job job, Shape shape, long time) {
    tries++;
    ahead.moveTo(time);
    refusal.forget();
    return PolicyGates.check(ahead, job, shape, refusal)
        && PolicyGates.licenses(ahead, job, refusal)
        && LimitGates.somewhere(ahead, job, shape, refusal)
        && JobGates.throttle(ahead, job, refusal)
        && JobGates.deadline(ahead, job, refusal);
  }

  /** Until when jobs that ask for at least so much are known to be refused by a rule. */
  private long known(String rule, long asked) {
    long time = Long.MIN_VALUE;
    for (Open open : opens.getOrDefault(rule, List.of())) {
      time = open.asked <= asked ? Math.max(time, open.time) : time;
    }
    return time;
  }

  private void learn(String rule, long asked, long time) {
    List<Open> known = opens.computeIfAbsent(rule, r -> new ArrayList<>());
    known.removeIf(open -> open.asked == asked && open.time <= time);
    known.add(new Open(asked, time));
  }

  /** A job has its place in the plan. */
  void planned(Job job, Shape shape, Plan.Slot slot, long minutes) {
    long end = minutes < 0 ? Long.MAX_VALUE : slot.start() + 60 * minutes;
    runs.put(job.id(), new Run(slot.start(), end));
    Instant until = end == Long.MAX_VALUE ? null : Instant.ofEpochSecond(end);
    Job running =
        job.with(
            j ->
                j.state(JobState.RUNNING)
                    .partitions(List.of(shape.partition().name()))
                    .started(Instant.ofEpochSecond(slot.start()))
                    .ended(until)
                    .array(asTask(job.array()))
                    .allocation(taken(job, shape, slot)));
    ahead.occupy(running, slot.start(), end);
  }

  private static @Nullable ArrayInfo asTask(@Nullable ArrayInfo array) {
    return array == null || array.taskId() != null
        ? array
        : new ArrayInfo(array.arrayJobId(), 0, IndexSet.EMPTY, array.throttle());
  }

  /** What limits count of a job on planned nodes; which cores and devices it gets is not known. */
  private Allocation taken(Job job, Shape shape, Plan.Slot slot) {
    List<NodeShare> shares = new ArrayList<>();
    for (String node : board.hardware().names(slot.nodes())) {
      shares.add(new NodeShare(node, IndexSet.EMPTY, 0, 0, List.of()));
    }
    Partition partition = shape.partition();
    TreeMap<String, Long> tres = new TreeMap<>(ReqTres.of(job.request()).amounts());
    long cpus = shape.whole() ? board.hardware().cpusOf(slot.nodes()) : shape.minCpus();
    tres.merge(Tres.CPU, cpus, Math::max);
    tres.put(Tres.NODE, (long) Bits.count(slot.nodes()));
    tres.put(Tres.BILLING, Billing.of(tres, partition, board.state().config().priority().flags()));
    return new Allocation(shares, new Tres(tres));
  }

  private final Dependencies.Expected expected =
      new Dependencies.Expected() {
        @Override
        public long start(Job job) {
          Run run = runs.get(job.id());
          return run == null ? Long.MAX_VALUE : run.start;
        }

        @Override
        public long end(Job job) {
          Instant end = job.ended();
          if (job.state() != JobState.PENDING) {
            return end == null ? Long.MAX_VALUE : Math.max(now + 1, end.getEpochSecond());
          }
          Run run = job.taskCount() > 1 ? null : runs.get(job.id());
          return run == null ? Long.MAX_VALUE : run.end;
        }
      };

  /** Hears which rule refuses, and whether time changes that. */
  private static final class Refusal implements Collector {
    private boolean waitingHelps;
    private @Nullable Supplier<Evidence> evidence;

    void forget() {
      waitingHelps = false;
      evidence = null;
    }

    /** The rule, with the user and account where it is about these. */
    String rule(Job job) {
      if (evidence != null && evidence.get() instanceof Evidence.Limit l) {
        boolean ofUser = l.limit().contains("PU") || l.limit().contains("PerUser");
        boolean ofAccount = l.limit().contains("PA") || l.limit().contains("PerAccount");
        return String.join(
            "\n",
            l.levelKind(),
            l.levelName(),
            l.limit(),
            l.unit(),
            ofUser ? job.owner().user() : "",
            ofAccount ? job.owner().account() : "");
      }
      return "job\n" + job.id();
    }

    long asked() {
      return evidence != null && evidence.get() instanceof Evidence.Limit l ? l.asked() : 0;
    }

    @Override
    public void pass(Gate gate, Supplier<Evidence> why) {}

    @Override
    public void notApplicable(Gate gate) {}

    @Override
    public boolean fail(Gate gate, Why why, boolean helps, Supplier<Evidence> what) {
      waitingHelps = helps;
      evidence = what;
      return false;
    }

    @Override
    public boolean all() {
      return false;
    }
  }
}
