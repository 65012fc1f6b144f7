package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.Admission;
import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.gate.AllFindings;
import dev.yardmaster.engine.plan.Foresight;
import dev.yardmaster.engine.plan.Outlook;
import dev.yardmaster.engine.plan.Preemptible;
import dev.yardmaster.engine.plan.Probe;
import dev.yardmaster.engine.plan.Rehearsal;
import dev.yardmaster.engine.plan.Scheduler;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.explain.Remedy;
import dev.yardmaster.explain.Remedy.Delay;
import dev.yardmaster.explain.Remedy.Lever;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.PlannedStart;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Searches for changes that let a job start earlier. Changes of the job itself are tried together
 * in one {@link Rehearsal}; the best of each kind, and changes around the job, are then checked by
 * planning the whole queue on a fork with that one change. Only those that help there are kept,
 * with whom they would delay.
 */
final class Remedies {
  /** So many changes of one kind are checked on the whole queue before the kind is given up. */
  private static final int CHECKED_PER_LEVER = 2;

  /** So many limits are raised together at most. */
  private static final int MOST_LIMITS = 8;

  /** No limit is raised by more than so many times what the job itself takes of it. */
  static final long MOST_PARTS = 1024L * LimitLevers.PARTS;

  private static final Set<Pass> PASSES = EnumSet.of(Pass.MAIN, Pass.WHOLE_QUEUE, Pass.BACKFILL);

  private static final Comparator<Remedy> BEST_FIRST =
      Comparator.comparing(Remedies::harms)
          .thenComparing(r -> !r.byOwner())
          .thenComparing(r -> r.lever() == Lever.OTHER_JOB_ENDS)
          .thenComparing(Remedy::start)
          .thenComparing(r -> r.delayed().size())
          .thenComparing(Remedy::lever)
          .thenComparing(r -> r.to().length())
          .thenComparing(Remedy::command);

  /** So many changes are played with which the job would preempt others. */
  private static final int PLAYED = 2;

  private static final Set<Lever> MAY_PREEMPT = EnumSet.of(Lever.OTHER_QOS, Lever.OTHER_PARTITION);

  private final ClusterState state;
  private final Instant now;
  private final Job job;
  private final Outlook before;
  private final List<Finding> findings;
  private final Foresight foresight;
  private final String partition;
  private final @Nullable Instant without;
  private final List<Remedy> remedies = new ArrayList<>();

  Remedies(
      ClusterState state,
      Instant now,
      Job job,
      Outlook before,
      Foresight foresight,
      String partition,
      List<Finding> findings) {
    this.partition = partition;
    this.state = state;
    this.now = now;
    this.job = job;
    this.before = before;
    this.findings = findings;
    this.foresight = foresight;
    without = before.start(job.id());
  }

  List<Remedy> find() {
    Fork fork = new Fork(state, now, job);
    JobLevers jobLevers = new JobLevers(state, now, job, fork);
    SiteLevers siteLevers = new SiteLevers(state, now, job, fork, findings);
    List<Candidate> candidates = new ArrayList<>(jobLevers.all());
    candidates.addAll(siteLevers.priority());
    List<Tried> tried = new ArrayList<>();
    candidates.forEach(c -> tried.add(new Tried(c)));
    LongestLimit limit = new LongestLimit(job, now, jobLevers, this::helps);
    EndSets ends = new EndSets(state, job, findings);
    List<Rehearsal.Part> parts = new ArrayList<>(tried);
    parts.add(limit);
    parts.add(ends);
    rehearse(parts);
    keepBest(tried, jobLevers);
    Candidate shorter = limit.candidate();
    if (shorter != null) {
      check(shorter);
    }
    if (remedies.stream().allMatch(r -> r.lever() == Lever.RAISE_PRIORITY)) {
      List<Tried> pairs = new ArrayList<>();
      jobLevers.pairs().forEach(c -> pairs.add(new Tried(c)));
      rehearse(List.copyOf(pairs));
      keepBest(pairs, jobLevers);
    }
    siteLevers.all().forEach(this::check);
    raiseLimits();
    sendAway(candidates);
    ends.sets().forEach(set -> check(fork.without(set)));
    remedies.sort(BEST_FIRST);
    return remedies;
  }

  /** Whether others lose their resources by it, and the job's owner does not end their own. */
  private static boolean harms(Remedy r) {
    return !r.sentAway().isEmpty() || (r.lever() == Lever.OTHER_JOB_ENDS && !r.byOwner());
  }

  /** A QOS or partition in which the job would preempt others, where it starts earlier by that. */
  private void sendAway(List<Candidate> candidates) {
    if (job.array() != null) {
      // which of its tasks would start when is not played
      return;
    }
    int played = 0;
    for (Candidate candidate : candidates) {
      boolean known = remedies.stream().anyMatch(r -> r.command().equals(candidate.command()));
      Job changed = candidate.fork().job(job.id());
      if (!MAY_PREEMPT.contains(candidate.lever())
          || known
          || changed == null
          || played == PLAYED
          || !Preemptible.anyBy(candidate.fork(), changed, now)
          || refused(candidate)) {
        continue;
      }
      played++;
      Remedy remedy = sendsAway(candidate);
      if (remedy != null) {
        remedies.add(remedy);
      }
    }
  }

  /** Plays a change with which the job sends others away: what they lose is told with it. */
  private @Nullable Remedy sendsAway(Candidate candidate) {
    SentAway.Found found =
        job.array() == null ? SentAway.play(candidate.fork(), now, job.id()) : null;
    if (found == null || !helps(found.start())) {
      return null;
    }
    Instant then = found.start().start();
    Outlook after = Outlook.of(found.after(), then, Outlook.HORIZON, new Foresight());
    return remedy(candidate, found.start(), delays(found.after(), after), found.losses());
  }

  private void rehearse(List<Rehearsal.Part> parts) {
    if (!parts.isEmpty()) {
      new Rehearsal(job.id(), parts).run(state, now, Outlook.HORIZON, foresight);
    }
  }

  /** Of some levers only the mildest setting that starts the job earliest is shown. */
  private void keepBest(List<Tried> tried, JobLevers levers) {
    Map<Lever, List<Tried>> byLever = new EnumMap<>(Lever.class);
    for (Tried one : tried) {
      if (helps(one.start())) {
        byLever.computeIfAbsent(one.lever(), l -> new ArrayList<>()).add(one);
      }
    }
    byLever.forEach(
        (lever, useful) -> {
          if (!ONE_OF_ITS_KIND.contains(lever)) {
            useful.forEach(one -> check(one.candidate()));
            return;
          }
          // the sort is stable: of equally early ones the mildest stays first
          useful.sort(Comparator.comparing(Tried::startTime));
          for (int i = 0; i < Math.min(CHECKED_PER_LEVER, useful.size()); i++) {
            if (checkMildest(useful.get(i), levers)) {
              return;
            }
          }
        });
  }

  /** What takes least away of those changes that give as early a start. */
  private boolean checkMildest(Tried one, JobLevers levers) {
    List<Tried> milder = new ArrayList<>();
    levers.milder(one.candidate()).forEach(c -> milder.add(new Tried(c)));
    rehearse(List.copyOf(milder));
    return milder.stream()
            .filter(m -> !m.startTime().isAfter(one.startTime()))
            .findFirst()
            .map(m -> check(m.candidate()))
            .orElse(false)
        || check(one.candidate());
  }

  private static final Set<Lever> ONE_OF_ITS_KIND =
      EnumSet.of(
          Lever.FEWER_NODES,
          Lever.FEWER_GPUS,
          Lever.LESS_MEMORY,
          Lever.FEWER_CPUS,
          Lever.RAISE_PRIORITY);

  private boolean helps(@Nullable PlannedStart start) {
    return start != null && (without == null || start.start().isBefore(without));
  }

  /** A limit that holds the job now may be raised also where that gains nothing: it says so. */
  private boolean counts(Candidate candidate, PlannedStart start) {
    boolean noLater = without != null && !start.start().isAfter(without);
    return helps(start) || (candidate.lever() == Lever.RAISE_LIMIT && noLater);
  }

  /**
   * Plans the whole queue with the change: the start that counts, and who is delayed.
   *
   * @return whether it helps
   */
  private boolean check(Candidate candidate) {
    Remedy remedy = tested(candidate);
    if (remedy != null) {
      remedies.add(remedy);
    }
    return remedy != null;
  }

  private @Nullable Remedy tested(Candidate candidate) {
    Outlook after = Outlook.of(candidate.fork(), now, Outlook.HORIZON, foresight);
    PlannedStart foreseen = after.planned(job.id());
    if (foreseen == null || !counts(candidate, foreseen) || refused(candidate)) {
      return null;
    }
    if (after.preemptors().contains(job.id())) {
      return sendsAway(candidate);
    }
    PlannedStart start = kept(candidate, foreseen);
    return start == null || !counts(candidate, start)
        ? null
        : remedy(candidate, start, delays(candidate.fork(), after), List.of());
  }

  /**
   * Each limit that holds the job by itself; all of them together where none alone gains anything.
   */
  private void raiseLimits() {
    LimitLevers levers = new LimitLevers(state, now, job);
    List<LimitLevers.Raise> raises = levers.of(findings);
    List<Remedy> found = new ArrayList<>();
    raises.forEach(one -> found.addAll(raise(levers, List.of(one))));
    if (found.stream().noneMatch(Remedies::gains)) {
      List<LimitLevers.Raise> all = withThoseBehind(levers, raises);
      List<Remedy> together = all.size() > 1 ? raise(levers, all) : List.of();
      if (together.stream().anyMatch(Remedies::gains)) {
        found.clear();
      }
      found.addAll(together);
    }
    remedies.addAll(found);
  }

  /**
   * By what the job lacks; and by as little more as it takes where others would use that up first
   * and it starts earlier with more. What gains nothing is said only where nothing gains.
   */
  private List<Remedy> raise(LimitLevers levers, List<LimitLevers.Raise> raises) {
    List<Remedy> found = new ArrayList<>();
    Remedy least = tested(levers.raised(raises, 0));
    boolean best = least != null && !least.start().isAfter(now);
    Remedy more = best ? null : further(parts -> tested(levers.raised(raises, parts)), least);
    if (least != null && (more == null || gains(least))) {
      found.add(least);
    }
    if (more != null) {
      found.add(more);
    }
    return found;
  }

  /** A gate tells of one limit at a time: with those raised, the next one speaks. */
  List<LimitLevers.Raise> withThoseBehind(LimitLevers levers, List<LimitLevers.Raise> raises) {
    List<LimitLevers.Raise> all = new ArrayList<>();
    List<LimitLevers.Raise> more = raises;
    while (!more.isEmpty() && all.size() + more.size() <= MOST_LIMITS) {
      all.addAll(more);
      Probe probe = new Probe(job.id());
      ClusterState fork = levers.raised(all, 0).fork();
      Scheduler scheduler = new Scheduler(fork, now, Scheduler.Purpose.TRACE, probe);
      scheduler.share(foresight);
      scheduler.run(PASSES, 0);
      AllFindings next = probe.byPartition().get(partition);
      more = next == null ? List.of() : levers.of(next.findings());
    }
    return all;
  }

  private static boolean gains(Remedy remedy) {
    return remedy.gainSeconds() == null || remedy.gainSeconds() > 0;
  }

  /** The smallest number with which the job starts earliest, and earlier than with none. */
  private static @Nullable Remedy further(
      LongFunction<@Nullable Remedy> raised, @Nullable Remedy least) {
    Remedy best = raised.apply(MOST_PARTS);
    if (best == null || (least != null && !best.start().isBefore(least.start()))) {
      return null;
    }
    Instant goal = best.start();
    long bad = 0;
    long good = LimitLevers.PARTS;
    while (good < MOST_PARTS && !reaches(raised.apply(good), goal)) {
      bad = good;
      good *= 2;
    }
    while (good - bad > 1) {
      long middle = bad + (good - bad) / 2;
      if (reaches(raised.apply(middle), goal)) {
        good = middle;
      } else {
        bad = middle;
      }
    }
    return raised.apply(good);
  }

  private static boolean reaches(@Nullable Remedy remedy, Instant goal) {
    return remedy != null && !remedy.start().isAfter(goal);
  }

  /** Who of those that wait in a state starts later than without the change. */
  private List<Delay> delays(ClusterState changed, Outlook after) {
    List<Delay> delays = new ArrayList<>();
    before
        .starts()
        .forEach(
            (id, planned) -> {
              Job other = changed.job(id);
              Instant later = after.start(id);
              boolean moved = later == null || later.isAfter(planned.start());
              boolean waits = other != null && other.state() == JobState.PENDING;
              if (id != job.id() && moved && waits) {
                long seconds =
                    later == null
                        ? Delay.NEVER
                        : Duration.between(planned.start(), later).toSeconds();
                delays.add(new Delay(id, seconds));
              }
            });
    return delays;
  }

  private Remedy remedy(
      Candidate candidate, PlannedStart start, List<Delay> delays, List<Remedy.Loss> sentAway) {
    Long gain = without == null ? null : Duration.between(start.start(), without).toSeconds();
    return new Remedy(
        candidate.lever(),
        candidate.from(),
        candidate.to(),
        start.start(),
        start.nodes(),
        gain,
        delays,
        candidate.command(),
        candidate.byOwner(),
        sentAway);
  }

  /**
   * What the next pass makes of a start that is foreseen for now: it may send others away for jobs
   * ahead, and has limits that a forecast does not know. No start is promised that it would not
   * keep.
   */
  private @Nullable PlannedStart kept(Candidate candidate, PlannedStart foreseen) {
    if (foreseen.start().isAfter(now)) {
      return foreseen;
    }
    Scheduler scheduler = new Scheduler(candidate.fork(), now, Scheduler.Purpose.DECIDE, null);
    scheduler.share(foresight);
    for (Decision decision : scheduler.run(PASSES, 0).decisions()) {
      if (decision instanceof Decision.Start start && start.jobId() == job.id()) {
        return new PlannedStart(now, start.allocation().nodes(), start.partition(), now);
      }
    }
    PlannedStart decided = scheduler.plannedStart(job.id());
    return decided != null && decided.start().isAfter(now) ? decided : null;
  }

  /** Whether the change is one of the job that would be refused like a submission of it. */
  private boolean refused(Candidate candidate) {
    Job changed = candidate.fork().job(job.id());
    if (changed == null) {
      return false;
    }
    boolean same =
        changed.request().equals(job.request())
            && changed.partitions().equals(job.partitions())
            && changed.owner().equals(job.owner());
    return !same && !Admission.check(state, changed, now).isEmpty();
  }

  /** One change, and the start it was found to give. */
  private final class Tried implements Rehearsal.Part {
    private final Candidate candidate;
    private final Job changed;
    private @Nullable PlannedStart start;

    Tried(Candidate candidate) {
      this.candidate = candidate;
      Job found = candidate.fork().job(job.id());
      changed = found == null ? job : found;
    }

    @Override
    public Job job() {
      return changed;
    }

    @Override
    public boolean ask(Rehearsal.Trial trial) {
      PlannedStart found = trial.start(changed);
      if (found != null && (start == null || found.start().isBefore(start.start()))) {
        start = found;
      }
      return start != null && !start.start().isAfter(now);
    }

    Candidate candidate() {
      return candidate;
    }

    Lever lever() {
      return candidate.lever();
    }

    @Nullable PlannedStart start() {
      return start;
    }

    Instant startTime() {
      return start == null ? Instant.MAX : start.start();
    }
  }
}
