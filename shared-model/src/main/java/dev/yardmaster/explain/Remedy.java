package dev.yardmaster.explain;

import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change that would let the job start earlier, checked by running the engine on a fork with this
 * change.
 *
 * @param lever what is changed
 * @param from the value today and {@code to} the proposed one, in Slurm's notation; a begin time as
 *     ISO 8601 instant, since only who shows it knows the zone, as the starts of a reservation
 *     behind its name; for RESUME_NODES a line for each state: Slurm's word for it (drain, down,
 *     no_respond), the nodes, and the reason if one is known
 * @param start when the job would start; equal to the moment of the explanation for "now"
 * @param nodes where
 * @param gainSeconds how much earlier than without the change; null when without it there is no
 *     start that can be told: never, by the explanation's verdict, or not yet known
 * @param delayed jobs that would start later, with by how much
 * @param command the exact command that makes the change
 * @param byOwner whether the owner of the job may do it; else an operator must
 * @param sentAway jobs that the job would preempt, with what they lose
 */
public record Remedy(
    Lever lever,
    String from,
    String to,
    Instant start,
    HostList nodes,
    @Nullable Long gainSeconds,
    List<Delay> delayed,
    String command,
    boolean byOwner,
    List<Loss> sentAway) {
  public Remedy {
    delayed = List.copyOf(delayed);
    sentAway = List.copyOf(sentAway);
  }

  /** A remedy that sends nobody away. */
  public Remedy(
      Lever lever,
      String from,
      String to,
      Instant start,
      HostList nodes,
      @Nullable Long gainSeconds,
      List<Delay> delayed,
      String command,
      boolean byOwner) {
    this(lever, from, to, start, nodes, gainSeconds, delayed, command, byOwner, List.of());
  }

  /** The thing that a remedy changes. */
  public enum Lever {
    RELEASE,
    SHORTER_TIME_LIMIT,
    TIME_LIMIT_WITHIN_PARTITION,
    FEWER_NODES,
    FEWER_GPUS,
    OTHER_GPU_TYPE,
    LESS_MEMORY,
    FEWER_CPUS,
    OTHER_PARTITION,
    OTHER_QOS,
    DROP_FEATURES,
    DROP_NODELIST,
    DROP_EXCLUSIVE,
    DROP_SWITCHES,
    DROP_CONTIGUOUS,
    DROP_SEGMENT,
    DROP_LICENSES,
    LEAVE_RESERVATION,
    DROP_DEPENDENCY,
    BEGIN_NOW,
    RAISE_THROTTLE,
    PARTITION_UP,
    ADMIT,
    RESUME_NODES,
    RAISE_PARTITION_LIMIT,
    RAISE_LIMIT,
    MOVE_RESERVATION,
    RAISE_PRIORITY,
    OTHER_JOB_ENDS
  }

  /**
   * A job that a remedy would delay; {@link Evidence#HIDDEN} for one that the reader may not see.
   *
   * @param seconds {@link #NEVER} when it would not start any more within the time looked ahead
   */
  public record Delay(int jobId, long seconds) {
    public static final long NEVER = -1;
  }

  /**
   * A job that would have to leave; {@link Evidence#HIDDEN}, with nothing known of it, for one that
   * the reader may not see.
   *
   * @param user whose job it is
   * @param mode what becomes of it
   * @param workedSeconds how long it would have worked by then
   * @param graceSeconds how long it may save its work before it leaves
   */
  public record Loss(
      int jobId, String user, Preemption.Mode mode, long workedSeconds, long graceSeconds) {}
}
