package dev.yardmaster.engine.limit;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Limits;
import dev.yardmaster.model.Qos;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which pending jobs gain priority with age in a pass: at most as many at a time as GrpJobsAccrue
 * and MaxJobsAccrue of associations and of the QOS of the job say (sacctmgr(1)). A job that gained
 * once goes on until it starts or is held; places that it leaves go to the jobs that come first by
 * id, whose age begins then. All limits count, and none with PriorityFlags=ACCRUE_ALWAYS
 * (slurm.conf(5)).
 *
 * <p>An array that waits has one priority. It takes a place for each of its tasks as far as there
 * are places, and needs one.
 */
public final class Accruals {
  private final ClusterState state;
  private final Instant now;
  private final boolean limited;
  private final TreeMap<String, Integer> taken = new TreeMap<>();

  /** What one limit allows, and what it is counted under. */
  private record Place(String key, long most) {}

  private Accruals(ClusterState state, Instant now, boolean limited) {
    this.state = state;
    this.now = now;
    this.limited = limited;
  }

  /**
   * The places as the last pass left them.
   *
   * @param pending all jobs that wait
   */
  public static Accruals of(ClusterState state, Iterable<Job> pending, Instant now) {
    boolean limited =
        Enforcement.of(state.config()).limits()
            && !state.config().priority().has("ACCRUE_ALWAYS")
            && isSet(state);
    Accruals accruals = new Accruals(state, now, limited);
    if (limited) {
      for (Job job : pending) {
        if (job.hold() == Hold.NONE && job.eligible() != null && job.accrues() != null) {
          accruals.count(accruals.places(job), job.taskCount());
        }
      }
    }
    return accruals;
  }

  /**
   * Since when a job gains priority with age; null while it does not. To be asked once for each job
   * in their order.
   *
   * @param eligible since when it could start; null while it cannot
   */
  public @Nullable Instant since(Job job, @Nullable Instant eligible) {
    Instant before = job.accrues();
    if (!limited) {
      // scontrol update ResetAccrueTime may have let it begin anew.
      return before != null && eligible != null && before.isAfter(eligible) ? before : eligible;
    }
    boolean counted = job.hold() == Hold.NONE && job.eligible() != null && before != null;
    if (counted && before != null && eligible != null && !before.isBefore(eligible)) {
      return before;
    }
    List<Place> places = places(job);
    if (counted) {
      count(places, -job.taskCount());
    }
    if (eligible == null || places.stream().anyMatch(p -> taken(p) >= p.most())) {
      return null;
    }
    count(places, job.taskCount());
    boolean waitedForPlace = eligible.equals(job.eligible()) && job.lastEvaluated() != null;
    return waitedForPlace && !places.isEmpty() ? now : eligible;
  }

  private int taken(Place place) {
    return taken.getOrDefault(place.key(), 0);
  }

  private void count(List<Place> places, int tasks) {
    places.forEach(p -> taken.merge(p.key(), tasks, Integer::sum));
  }

  private List<Place> places(Job job) {
    List<Place> places = new ArrayList<>();
    String user = job.owner().user();
    String account = job.owner().account();
    Qos qos = state.accounting().qos().get(job.owner().qos());
    if (qos != null) {
      String key = "q " + qos.name();
      add(places, qos.limits(), LimitKind.GRP_JOBS_ACCRUE, key);
      add(places, qos.limits(), LimitKind.MAX_JOBS_ACCRUE_PER_USER, key + " user " + user);
      add(places, qos.limits(), LimitKind.MAX_JOBS_ACCRUE_PER_ACCOUNT, key + " account " + account);
    }
    Association own = state.accounting().find(user, account, job.partition());
    if (own != null) {
      boolean decided = false;
      for (Association a : state.accounting().upwards(own)) {
        add(places, a.limits(), LimitKind.GRP_JOBS_ACCRUE, "g " + a.id());
        decided = decided || add(places, a.limits(), LimitKind.MAX_JOBS_ACCRUE, "m " + own.id());
      }
    }
    return places;
  }

  private static boolean add(List<Place> places, Limits limits, LimitKind kind, String key) {
    Long most = limits.number(kind);
    if (most != null) {
      places.add(new Place(key, most));
    }
    return most != null;
  }

  private static boolean isSet(ClusterState state) {
    return state.accounting().associations().values().stream().anyMatch(a -> isSet(a.limits()))
        || state.accounting().qos().values().stream().anyMatch(q -> isSet(q.limits()));
  }

  private static boolean isSet(Limits limits) {
    return limits.number(LimitKind.GRP_JOBS_ACCRUE) != null
        || limits.number(LimitKind.MAX_JOBS_ACCRUE) != null
        || limits.number(LimitKind.MAX_JOBS_ACCRUE_PER_USER) != null
        || limits.number(LimitKind.MAX_JOBS_ACCRUE_PER_ACCOUNT) != null;
  }
}
