package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.SchedulingPolicy;
import java.time.Instant;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How far a backfill pass goes (slurm.conf, SchedulerParameters bf_*). */
final class BackfillLimits {
  private final SchedulingPolicy policy;
  private final boolean unlimited;
  private final long windowSeconds;
  private final TreeMap<String, Integer> counts = new TreeMap<>();
  private int tested;
  private boolean full;
  private int lastArray;
  private int lastTasks;

  private BackfillLimits(SchedulingPolicy policy, boolean unlimited, long windowSeconds) {
    this.policy = policy;
    this.unlimited = unlimited;
    this.windowSeconds = windowSeconds;
  }

  /** As the configuration says. */
  static BackfillLimits of(SchedulingPolicy policy) {
    return new BackfillLimits(policy, false, policy.bfWindowMinutes() * 60L);
  }

  /** Every job is planned, as far as a horizon: a forecast rather than a pass. */
  static BackfillLimits none(SchedulingPolicy policy, long horizonSeconds) {
    return new BackfillLimits(policy, true, horizonSeconds);
  }

  /** Whether every job is planned, rather than those that a pass comes to. */
  boolean isForecast() {
    return unlimited;
  }

  /** bf_window. */
  long windowSeconds() {
    return windowSeconds;
  }

  /** bf_granularity=device: cores and GPUs are planned rather than whole nodes. */
  boolean plansDevices() {
    return "device".equals(policy.parameters().get("bf_granularity"));
  }

  /**
   * Whether places are those that Slurm finds, not the earliest: not in a forecast, and not with
   * bf_search=earliest.
   */
  boolean plansStepwise() {
    return !isForecast() && !"earliest".equals(policy.parameters().get("bf_search"));
  }

  /** bf_licenses: jobs that lack licences are planned for when these are free. */
  boolean plansLicenses() {
    return !isForecast() && policy.parameters().containsKey("bf_licenses");
  }

  /**
   * time_min_as_soft_limit: a job is planned for its --time-min, and may run for its whole limit.
   */
  boolean givesWholeLimit(Job job) {
    return job.timeMinMinutes() > 0 && policy.parameters().containsKey("time_min_as_soft_limit");
  }

  /** bf_resolution. */
  long resolutionSeconds() {
    return policy.bfResolutionSeconds();
  }

  int tested() {
    return tested;
  }

  /** bf_max_job_test, bf_max_job_start and bf_node_space_size. */
  boolean exhausted(int started) {
    return !unlimited
        && (full
            || (policy.bfMaxJobTest() > 0 && tested >= policy.bfMaxJobTest())
            || (policy.bfMaxJobStart() > 0 && started >= policy.bfMaxJobStart()));
  }

  /** bf_node_space_size: how many times the plan may be divided into. */
  int spaces() {
    int otherwise = policy.bfMaxJobTest() > 0 ? policy.bfMaxJobTest() : Integer.MAX_VALUE;
    long spaces = number("bf_node_space_size", otherwise);
    return spaces < 2 ? otherwise : (int) Math.min(spaces, Integer.MAX_VALUE);
  }

  /** Nothing more can be planned. */
  void planIsFull() {
    full = true;
  }

  /** A job, or one more task of an array, was tried on nodes. */
  void tried() {
    tested++;
  }

  /**
   * bf_max_job_part, bf_max_job_user, bf_max_job_user_part and bf_max_job_assoc. Each task of an
   * array counts; one that a limit leaves out counts for no other.
   */
  boolean admit(Job job, String partition) {
    if (unlimited) {
      return true;
    }
    String user = job.owner().user();
    TreeMap<String, Integer> most = new TreeMap<>();
    most.put("p\n" + partition, policy.bfMaxJobPart());
    most.put("u\n" + user, policy.bfMaxJobUser());
    most.put("a\n" + job.owner().account() + "\n" + user, policy.bfMaxJobAssoc());
    most.put("x\n" + user + "\n" + partition, policy.bfMaxJobUserPart());
    most.values().removeIf(limit -> limit <= 0);
    if (most.entrySet().stream()
        .anyMatch(e -> counts.getOrDefault(e.getKey(), 0) >= e.getValue())) {
      return false;
    }
    most.keySet().forEach(key -> counts.merge(key, 1, Integer::sum));
    return true;
  }

  private boolean below(String key, int limit) {
    return limit <= 0 || counts.merge(key, 1, Integer::sum) <= limit;
  }

  /**
   * bf_min_prio_reserve and bf_min_age_reserve: jobs of lower priority, or that have waited for
   * less long, may start but keep nothing in the plan; so a QOS may say as well.
   */
  boolean mayNotReserve(Entry entry, Board board) {
    long priority = entry.ticket().priority().priority();
    if (board.limits().mayNotReserve(entry.job(), priority)) {
      return true;
    }
    if (unlimited) {
      return false;
    }
    long age = number("bf_min_age_reserve", 0);
    Instant since = entry.ticket().eligible;
    boolean young = age > 0 && (since == null || board.now().isBefore(since.plusSeconds(age)));
    return young || priority < number("bf_min_prio_reserve", 0);
  }

  /**
   * Whether a job may start but is to keep no place: as many of the partition have one as may
   * (bf_job_part_count_reserve), or it has one elsewhere already (bf_one_resv_per_job).
   */
  boolean startsOnly(String partition, @Nullable Spot elsewhere) {
    long most = number("bf_job_part_count_reserve", 0);
    boolean full = most > 0 && counts.getOrDefault("r\n" + partition, 0) >= most;
    return !unlimited && full || oneReservationPerJob() && elsewhere != null;
  }

  /** bf_job_part_count_reserve: so many jobs of a partition keep a place in the plan. */
  boolean oneMoreReservation(String partition) {
    return unlimited || below("r\n" + partition, (int) number("bf_job_part_count_reserve", 0));
  }

  /** bf_allow_magnetic_slot: jobs are planned, and counted, in reservations that draw them. */
  boolean plansDrawnJobs() {
    return policy.parameters().containsKey("bf_allow_magnetic_slot");
  }

  /** bf_hetjob_immediate: a heterogeneous job starts before those behind it are looked at. */
  boolean startsComponentsAtOnce() {
    return policy.parameters().containsKey("bf_hetjob_immediate");
  }

  /** bf_one_resv_per_job. */
  boolean oneReservationPerJob() {
    return policy.parameters().containsKey("bf_one_resv_per_job");
  }

  /** How many tasks of an array a forecast plans: bf_max_job_array_resv, within its throttle. */
  int arrayTries(Ticket ticket) {
    BitSet waiting = ticket.waitingTasks;
    ArrayInfo array = ticket.job.array();
    if (waiting == null || array == null) {
      return 1;
    }
    int most = Math.min(waiting.cardinality(), mostTasks());
    return array.throttle() > 0 ? Math.min(most, array.throttle()) : most;
  }

  /**
   * Whether one more task of an array is to be planned after one was: bf_max_job_array_resv, and
   * never past its throttle. As in Slurm those planned in another partition count unless another
   * array was planned since.
   */
  boolean oneMoreTask(Ticket ticket, Board board) {
    BitSet waiting = ticket.waitingTasks;
    ArrayInfo array = ticket.job.array();
    if (waiting == null || array == null) {
      return false;
    }
    lastTasks = lastArray == array.arrayJobId() ? lastTasks + 1 : 1;
    lastArray = array.arrayJobId();
    return lastTasks < Math.min(waiting.cardinality(), mostTasks())
        && (array.throttle() <= 0
            || lastTasks + board.tasksRunning(array.arrayJobId()) < array.throttle());
  }

  private int mostTasks() {
    return (int) number("bf_max_job_array_resv", 20);
  }

  private long number(String name, long otherwise) {
    SortedMap<String, String> parameters = policy.parameters();
    String text = parameters.get(name);
    if (text == null) {
      return otherwise;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }
}
