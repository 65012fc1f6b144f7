package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.plan.Outlook;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.explain.Remedy;
import dev.yardmaster.explain.Remedy.Delay;
import dev.yardmaster.explain.Remedy.Lever;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PlannedStart;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Searches for changes that let a job start earlier. Each is tried by running the engine on a fork
 * with that one change; only those that help are kept, with whom they would delay.
 */
final class Remedies {
  private static final Comparator<Remedy> BEST_FIRST =
      Comparator.comparing((Remedy r) -> !r.byOwner())
          .thenComparing(r -> r.lever() == Lever.OTHER_JOB_ENDS)
          .thenComparing(Remedy::start)
          .thenComparing(r -> r.delayed().size())
          .thenComparing(Remedy::lever)
          .thenComparing(Remedy::command);

  private final ClusterState state;
  private final Instant now;
  private final Job job;
  private final Outlook before;
  private final List<Finding> findings;
  private final @Nullable PlannedStart without;
  private final Map<Lever, Remedy> best = new EnumMap<>(Lever.class);
  private final List<Remedy> remedies = new ArrayList<>();

  Remedies(ClusterState state, Instant now, Job job, Outlook before, List<Finding> findings) {
    this.state = state;
    this.now = now;
    this.job = job;
    this.before = before;
    this.findings = findings;
    without = before.starts().get(job.id());
  }

  List<Remedy> find() {
    Fork fork = new Fork(state, now, job);
    JobLevers jobLevers = new JobLevers(state, now, job, fork);
    tryAll(jobLevers.all());
    Remedy shorter = shorterLimit(jobLevers);
    if (shorter != null) {
      remedies.add(shorter);
    }
    if (best.isEmpty() && remedies.isEmpty()) {
      tryAll(jobLevers.pairs());
    }
    tryAll(new SiteLevers(state, now, job, fork, findings).all());
    remedies.addAll(best.values());
    remedies.sort(BEST_FIRST);
    return remedies;
  }

  private void tryAll(List<Candidate> candidates) {
    for (Candidate candidate : candidates) {
      PlannedStart start = tryOut(candidate);
      if (start == null || !helps(start)) {
        continue;
      }
      Remedy known = best.get(candidate.lever());
      boolean one = oneOfItsKind(candidate.lever());
      if (one && known != null && !start.start().isBefore(known.start())) {
        continue;
      }
      Remedy remedy = remedy(candidate);
      if (remedy == null) {
        continue;
      }
      if (one) {
        best.put(candidate.lever(), remedy);
      } else {
        remedies.add(remedy);
      }
    }
  }

  /**
   * Of some levers only the mildest setting that starts the job earliest is shown; candidates come
   * from the mildest to the harshest.
   */
  private static boolean oneOfItsKind(Lever lever) {
    return switch (lever) {
      case FEWER_NODES, FEWER_GPUS, LESS_MEMORY, FEWER_CPUS -> true;
      default -> false;
    };
  }

  private boolean helps(@Nullable PlannedStart start) {
    return start != null && (without == null || start.start().isBefore(without.start()));
  }

  private @Nullable PlannedStart tryOut(Candidate candidate) {
    return Outlook.ofJob(candidate.fork(), job.id(), now, Outlook.HORIZON);
  }

  /** The whole outlook with the change: the start that counts, and who is delayed. */
  private @Nullable Remedy remedy(Candidate candidate) {
    SortedMap<Integer, PlannedStart> after =
        Outlook.of(candidate.fork(), now, Outlook.HORIZON).starts();
    PlannedStart start = after.get(job.id());
    if (start == null || !helps(start)) {
      return null;
    }
    List<Delay> delays = new ArrayList<>();
    before
        .starts()
        .forEach(
            (id, planned) -> {
              PlannedStart later = after.get(id);
              boolean moved = later == null || later.start().isAfter(planned.start());
              if (id != job.id() && moved && candidate.fork().job(id) != null) {
                Instant until = later == null ? now.plus(Outlook.HORIZON) : later.start();
                delays.add(new Delay(id, Duration.between(planned.start(), until).toSeconds()));
              }
            });
    Long gain =
        without == null ? null : Duration.between(start.start(), without.start()).toSeconds();
    return new Remedy(
        candidate.lever(),
        candidate.from(),
        candidate.to(),
        start.start(),
        start.nodes(),
        gain,
        delays,
        candidate.command(),
        candidate.byOwner());
  }

  /** The longest time limit with which the job gets the earliest start that a shorter limit can. */
  private @Nullable Remedy shorterLimit(JobLevers levers) {
    long limit = job.timeLimitMinutes();
    long longest = limit == Partition.UNLIMITED ? 365L * 24 * 60 : limit - 1;
    if (longest < 1) {
      return null;
    }
    PlannedStart earliest = tryOut(levers.timeLimit(Lever.SHORTER_TIME_LIMIT, 1));
    if (earliest == null || !helps(earliest)) {
      return null;
    }
    long good = 1;
    long bad = longest + 1;
    while (bad - good > 1) {
      long middle = good + (bad - good) / 2;
      PlannedStart start = tryOut(levers.timeLimit(Lever.SHORTER_TIME_LIMIT, middle));
      if (start != null && !start.start().isAfter(earliest.start())) {
        good = middle;
      } else {
        bad = middle;
      }
    }
    return remedy(levers.timeLimit(Lever.SHORTER_TIME_LIMIT, good));
  }
}
