package dev.yardmaster.console.terms;

import dev.yardmaster.console.connect.NodeGroup;
import dev.yardmaster.console.i18n.Formats;
import dev.yardmaster.console.i18n.TextKey;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.MissingResourceException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Says states, reasons and amounts in words. Immutable; may be used by any thread. */
public final class Terms {
  private final Texts texts;
  private final Formats formats;
  private final Map<Reason, String> reasons = new ConcurrentHashMap<>();

  public Terms(Texts texts, Formats formats) {
    this.texts = texts;
    this.formats = formats;
  }

  public Texts texts() {
    return texts;
  }

  public Formats formats() {
    return formats;
  }

  /** A text of any bundle in this language. */
  public String text(TextKey key, @Nullable Object... arguments) {
    return texts.get(key, arguments);
  }

  /** What a job is doing, in one word. */
  public String state(Job job) {
    if (job.has(JobFlag.COMPLETING)) {
      return texts.get(TermsText.STATE_COMPLETING);
    }
    if (job.state() == JobState.RUNNING && job.has(JobFlag.CONFIGURING)) {
      return texts.get(TermsText.STATE_CONFIGURING);
    }
    if (job.state() == JobState.PENDING && job.hold() != Hold.NONE) {
      return texts.get(TermsText.STATE_HELD);
    }
    return state(job.state());
  }

  /** A state in one word. */
  public String state(JobState state) {
    return texts.get(TermsText.valueOf("STATE_" + state.name()));
  }

  /** The tone that goes with a job's state. */
  public Tone tone(Job job) {
    return switch (job.state()) {
      case PENDING -> waitingHelps(job) ? Tone.NEUTRAL : Tone.ATTENTION;
      case RUNNING -> Tone.ACCENT;
      case SUSPENDED, PREEMPTED -> Tone.ATTENTION;
      case COMPLETED, CANCELLED -> Tone.NEUTRAL;
      case FAILED, TIMEOUT, NODE_FAIL, BOOT_FAIL, DEADLINE, OUT_OF_MEMORY -> Tone.BLOCKED;
    };
  }

  /**
   * Whether time alone can let a pending job start, as far as its reason tells; the explanation of
   * the job knows better.
   */
  public static boolean waitingHelps(Job job) {
    if (job.hold() != Hold.NONE) {
      return false;
    }
    return job.planned() != null
        || switch (job.reason()) {
          case NONE,
              PRIORITY,
              RESOURCES,
              DEPENDENCY,
              BEGIN_TIME,
              JOB_ARRAY_TASK_LIMIT,
              RESERVATION,
              LICENSES,
              CLEANING,
              PROLOG,
              MAX_SUBMIT_JOBS_PER_USER,
              ASSOCIATION_JOB_LIMIT,
              ASSOC_GRP_JOBS,
              ASSOC_GRP_CPU,
              ASSOC_GRP_MEM,
              ASSOC_GRP_NODE,
              ASSOC_GRP_GRES,
              QOS_MAX_JOBS_PER_USER,
              QOS_MAX_CPU_PER_USER,
              QOS_MAX_GRES_PER_USER,
              QOS_GRP_CPU,
              QOS_GRP_GRES ->
              true;
          default -> isLimitThatFreesUp(job.reason().text());
        };
  }

  /**
   * Whether a word of Slurm names a limit on what several jobs hold together, which others give
   * back; limits on one job, its nodes or its time stay as they are.
   */
  private static boolean isLimitThatFreesUp(String word) {
    boolean shared = word.contains("PerUser") || word.contains("PerAccount");
    boolean limit =
        word.startsWith("Assoc")
            || word.startsWith("QOSMax")
            || word.startsWith("QOSGrp")
            || (word.startsWith("Max") && shared);
    return limit && !word.contains("PerJob") && !word.contains("PerNode") && !word.contains("Wall");
  }

  /** Whether a job asks for somebody's attention: it waits, and waiting alone does not help. */
  public static boolean needsAttention(Job job) {
    return job.state() == JobState.PENDING && !waitingHelps(job);
  }

  /** Why a job waits, where it runs, or how it ended. */
  public String reason(Job job) {
    if (job.state() == JobState.PENDING) {
      return reason(job.reason());
    }
    if (!job.state().isFinished()) {
      return job.allocation() == null
          ? ""
          : texts.get(TermsText.ON_NODES, job.allocation().nodes().toString());
    }
    if (job.exitCode().signal() != 0) {
      return texts.get(TermsText.ENDED_SIGNAL, Integer.toString(job.exitCode().signal()));
    }
    if (job.exitCode().code() != 0) {
      return texts.get(TermsText.ENDED_EXIT_CODE, Integer.toString(job.exitCode().code()));
    }
    return job.reason() == Reason.NONE ? "" : reason(job.reason());
  }

  /** One of Slurm's reasons in words. */
  public String reason(Reason reason) {
    return reasons.computeIfAbsent(reason, this::words);
  }

  private String words(Reason reason) {
    try {
      return texts.get(new ReasonKey(reason));
    } catch (MissingResourceException e) {
      // A reason newer than these texts is better told in Slurm's word than not at all.
      return LimitWords.of(reason.text(), texts).orElse(reason.text());
    }
  }

  /** What nodes of a group are, as a word that follows their number. */
  public String group(NodeGroup group, long count) {
    return texts.get(TermsText.valueOf("GROUP_" + group.name()), count);
  }

  /** What one node of a group is. */
  public String group(NodeGroup group) {
    return group(group, 1);
  }

  /** The tone that goes with a group of nodes. */
  public Tone tone(NodeGroup group) {
    return switch (group) {
      case IDLE -> Tone.GOOD;
      case MIXED, ALLOCATED -> Tone.ACCENT;
      case PLANNED -> Tone.PLANNED;
      case RESERVED -> Tone.RESERVATION;
      case DRAINING, DRAINED, NOT_RESPONDING -> Tone.ATTENTION;
      case DOWN -> Tone.BLOCKED;
      case POWER, OTHER -> Tone.NEUTRAL;
    };
  }

  /** A time limit in minutes. */
  public String limit(long minutes) {
    return minutes == Partition.UNLIMITED
        ? texts.get(TermsText.UNLIMITED)
        : formats.duration(Duration.ofMinutes(minutes));
  }

  /** An instant with its day as seen from {@code now}, or the sign for unknown. */
  public String instant(@Nullable Instant instant, Instant now) {
    return instant == null ? Formats.UNKNOWN : formats.instant(instant, now);
  }

  /** An instant in full, or the sign for unknown. */
  public String full(@Nullable Instant instant) {
    return instant == null ? Formats.UNKNOWN : formats.full(instant);
  }

  /** Memory with its unit, {@code 900 GiB}. */
  public String memory(long mib) {
    String[] units = {"MiB", "GiB", "TiB", "PiB"};
    double amount = mib;
    int unit = 0;
    while (amount >= 1024 && unit < units.length - 1) {
      amount /= 1024;
      unit++;
    }
    return decimal(amount) + '\u00a0' + units[unit];
  }

  /** Memory used of a total, in the unit of the total, {@code 402 / 480 GiB}. */
  public String memoryOf(long usedMib, long totalMib) {
    String total = memory(totalMib);
    double unit = 1;
    for (double rest = totalMib; rest >= 1024 && unit < 1L << 30; rest /= 1024) {
      unit *= 1024;
    }
    return decimal(usedMib / unit) + " / " + total;
  }

  private String decimal(double amount) {
    long tenths = Math.round(amount * 10);
    if (tenths % 10 == 0 || amount >= 100) {
      return formats.count(Math.round(amount));
    }
    return String.format(texts.locale(), "%.1f", tenths / 10.0);
  }

  /** The text with a capital at its beginning. */
  public String sentence(String text) {
    return text.isEmpty()
        ? text
        : text.substring(0, 1).toUpperCase(texts.locale()) + text.substring(1);
  }

  /** A name, or the sign for none. */
  public static String orDash(String text) {
    return text.isEmpty() ? Formats.UNKNOWN : text;
  }

  /** How long a job has waited, run, or ran. */
  public static Duration elapsed(Job job, Instant now) {
    Instant started = job.started();
    Instant ended = job.ended();
    if (job.state() == JobState.PENDING || started == null) {
      return between(job.submitted(), now);
    }
    Instant until = job.state().isFinished() && ended != null ? ended : now;
    return between(started, until);
  }

  /** The time between two instants; never negative, since clocks of machines differ a little. */
  public static Duration between(Instant from, Instant to) {
    return to.isBefore(from) ? Duration.ZERO : Duration.between(from, to);
  }
}
