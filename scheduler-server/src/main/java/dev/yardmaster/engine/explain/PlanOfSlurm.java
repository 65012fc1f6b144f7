package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.plan.Outlook;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Forecast;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.PlannedStart;
import dev.yardmaster.model.text.HostList;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where Slurm's plan, which {@code squeue --start} shows, says something else than the outlook. It
 * stays as Slurm makes it; an explanation says why it differs.
 */
final class PlanOfSlurm {
  /** Beside the second between two jobs on a node a plan rounds up to its grid. */
  private static final Duration SAME = Duration.ofMinutes(2);

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
    if (plan.nodes().isEmpty()) {
      return Forecast.Difference.OWN_LIMIT;
    }
    TreeSet<String> nodes = new TreeSet<>(HostList.ORDER);
    nodes.addAll(plan.nodes().expand());
    Instant until = plan.start();
    if (start != null) {
      nodes.addAll(start.nodes().expand());
      until = start.start().isAfter(until) ? start.start() : until;
    }
    for (int id : outlook.starts().keySet()) {
      Job other = state.job(id);
      boolean leftOut =
          other != null
              && id != job.id()
              && other.state() == JobState.PENDING
              && (other.planned() == null || other.planned().nodes().isEmpty());
      PlannedStart then = leftOut ? outlook.planned(id) : null;
      if (then != null
          && !then.start().isAfter(until)
          && then.nodes().expand().stream().anyMatch(nodes::contains)) {
        return Forecast.Difference.LEFT_OUT;
      }
    }
    return Forecast.Difference.COARSE;
  }
}
