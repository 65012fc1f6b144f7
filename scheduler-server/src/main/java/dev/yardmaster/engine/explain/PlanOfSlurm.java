package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.plan.Outlook;
import dev.yardmaster.engine.plan.Spot;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Forecast;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.PlannedStart;
import dev.yardmaster.model.Reason;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where Slurm's plan, which {@code squeue --start} shows, says something else than the outlook. It
 * stays as Slurm makes it; an explanation says why it differs.
 */
final class PlanOfSlurm {
  /** Beside the second between two jobs on a node a plan rounds up to its grid. */
  private static final Duration SAME = Duration.ofMinutes(2);

  private static final Set<Reason> WAITS_ITS_TURN =
      EnumSet.of(Reason.NONE, Reason.PRIORITY, Reason.RESOURCES);

  private final ClusterState state;
  private final Outlook outlook;
  private final Job job;

  PlanOfSlurm(ClusterState state, Outlook outlook, Job job) {
    this.state = state;
    this.outlook = outlook;
    this.job = job;
  }

  /** Null where it says the same or nothing. */
  Forecast.@Nullable Plan differs() {
    PlannedStart plan = job.planned();
    PlannedStart start = outlook.planned(job.id());
    boolean same =
        plan == null
            || (start != null
                && plan.start().minus(SAME).isBefore(start.start())
                && plan.start().plus(SAME).isAfter(start.start())
                && (plan.nodes().isEmpty() || plan.nodes().equals(start.nodes())));
    return plan == null || same
        ? null
        : new Forecast.Plan(plan.start(), plan.nodes(), difference(plan, start));
  }

  private Forecast.Difference difference(PlannedStart plan, @Nullable PlannedStart start) {
    if (job.het() != null) {
      return Forecast.Difference.PARTS;
    }
    if (plan.nodes().isEmpty()) {
      return Forecast.Difference.OWN_LIMIT;
    }
    Spot own = outlook.starts().get(job.id());
    for (Map.Entry<Integer, Spot> then : outlook.starts().entrySet()) {
      Spot spot = then.getValue();
      boolean before =
          !spot.start().isAfter(plan.start())
              || (start != null && !spot.start().isAfter(start.start()));
      if (before
          && then.getKey() != job.id()
          && isLeftOut(state.job(then.getKey()))
          && ((own != null && spot.sharesNodesWith(own))
              || spot.sharesNodesWith(spot.on(plan.nodes())))) {
        return Forecast.Difference.LEFT_OUT;
      }
    }
    return Forecast.Difference.COARSE;
  }

  /** Whether a plan keeps nothing for a job, because of a rule that holds it back. */
  private static boolean isLeftOut(@Nullable Job other) {
    return other != null
        && other.state() == JobState.PENDING
        && (other.planned() == null || other.planned().nodes().isEmpty())
        && !WAITS_ITS_TURN.contains(other.reason());
  }
}
