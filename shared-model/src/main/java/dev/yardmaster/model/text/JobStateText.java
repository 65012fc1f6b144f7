package dev.yardmaster.model.text;

import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of a job in the ways commands print it: {@code PENDING}, {@code PD}, {@code CANCELLED
 * by 1001}, {@code COMPLETING}, and the list of JSON (squeue(1), "JOB STATE CODES"). Reading never
 * fails: a word that is not known is kept in {@code unknown}.
 *
 * @param base the base state; null when the text names only a flag, as {@code COMPLETING} does
 * @param flags what else holds, unmodifiable
 * @param by who cancelled it, as printed after "by"; empty when not said
 * @param unknown words that were not understood, as written
 */
public record JobStateText(
    @Nullable JobState base, Set<JobFlag> flags, String by, List<String> unknown) {
  /** Which flag squeue shows in place of the base state when several are set, first match. */
  private static final List<JobFlag> SHOWN =
      List.of(
          JobFlag.COMPLETING,
          JobFlag.STAGE_OUT,
          JobFlag.CONFIGURING,
          JobFlag.RESIZING,
          JobFlag.REQUEUED,
          JobFlag.REQUEUE_FED,
          JobFlag.REQUEUE_HOLD,
          JobFlag.SPECIAL_EXIT,
          JobFlag.STOPPED,
          JobFlag.REVOKED,
          JobFlag.RESV_DEL_HOLD,
          JobFlag.SIGNALING);

  public JobStateText {
    flags =
        Collections.unmodifiableSet(
            flags.isEmpty() ? EnumSet.noneOf(JobFlag.class) : EnumSet.copyOf(flags));
    unknown = List.copyOf(unknown);
  }

  public static JobStateText of(JobState base, JobFlag... flags) {
    return new JobStateText(base, Set.of(flags), "", List.of());
  }

  /** Reads what squeue, scontrol or sacct printed, long or compact, in either letter case. */
  public static JobStateText parse(String text) {
    String state = text.strip();
    String by = "";
    int space = state.indexOf(' ');
    if (space > 0) {
      String rest = state.substring(space).strip();
      if (rest.regionMatches(true, 0, "by ", 0, 3)) {
        by = rest.substring(3).strip();
        state = state.substring(0, space);
      }
    }
    // A cut column of sacct ends with "+".
    String whole = state.endsWith("+") ? state.substring(0, state.length() - 1) : state;
    return read(List.of(whole.split("\\+")), by);
  }

  /** Reads the words of JSON. */
  public static JobStateText fromJson(Collection<String> words) {
    return read(words, "");
  }

  /** Whether the job will not run again unless it is requeued. */
  public boolean isFinished() {
    return base != null && base.isFinished();
  }

  /** The one word of squeue's STATE column: a flag that squeue knows, else the base state. */
  @Override
  public String toString() {
    JobFlag flag = shownFlag();
    if (flag != null) {
      return flag.name();
    }
    String name = base == null ? "UNKNOWN" : base.name();
    return by.isEmpty() ? name : name + " by " + by;
  }

  /** The letters of squeue's ST column; {@code ?} when unknown. */
  public String code() {
    JobFlag flag = shownFlag();
    if (flag != null) {
      return flag.code();
    }
    return base == null ? "?" : base.code();
  }

  private @Nullable JobFlag shownFlag() {
    for (JobFlag flag : SHOWN) {
      if (flags.contains(flag)) {
        return flag;
      }
    }
    return null;
  }

  private static JobStateText read(Collection<String> words, String by) {
    JobState base = null;
    var flags = EnumSet.noneOf(JobFlag.class);
    var unknown = new ArrayList<String>();
    for (String word : words) {
      String name = word.strip().toUpperCase(Locale.ROOT);
      JobState state = state(name);
      JobFlag flag = flag(name);
      if (state != null) {
        base = base == null ? state : base;
      } else if (flag != null) {
        flags.add(flag);
      } else if (!name.isEmpty()) {
        unknown.add(word.strip());
      }
    }
    return new JobStateText(base, flags, by, unknown);
  }

  /** The state of this name or letters, or, where a column was cut, the only one that begins so. */
  private static @Nullable JobState state(String name) {
    JobState cut = null;
    int candidates = 0;
    for (JobState state : JobState.values()) {
      if (state.name().equals(name) || state.code().equals(name)) {
        return state;
      }
      if (name.length() > 3 && state.name().startsWith(name)) {
        cut = state;
        candidates++;
      }
    }
    boolean maybeFlag = Stream.of(JobFlag.values()).anyMatch(f -> f.name().startsWith(name));
    return candidates == 1 && !maybeFlag ? cut : null;
  }

  private static @Nullable JobFlag flag(String name) {
    for (JobFlag flag : JobFlag.values()) {
      if (flag.name().equals(name) || flag.code().equals(name)) {
        return flag;
      }
    }
    return null;
  }
}
