package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.Preemption.Mode;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who may preempt whom, and how (slurm.conf(5), PreemptType, PreemptMode, PreemptExemptTime,
 * PreemptParameters; sacctmgr(1), Preempt, PreemptMode, GraceTime).
 */
final class PreemptRules {
  /** Ranks and numbers of nodes count in so many bits. */
  private static final long MOST = 0xffff;

  /** So many of those who might have left are named. */
  private static final int MOST_NAMED = 5;

  private enum Type {
    NONE,
    QOS,
    PARTITION
  }

  private final ClusterState state;
  private final Type type;
  private final String clusterMode;
  private final long exemptSeconds;
  private final long exemptPriority;
  private final boolean youngestFirst;
  private final SortedMap<String, String> modeTexts = new TreeMap<>();
  private final SortedMap<Integer, TreeSet<Integer>> splits = new TreeMap<>();
  private @Nullable SortedMap<Integer, Long> last;

  PreemptRules(ClusterState state) {
    this.state = state;
    type =
        switch (state.config().setting("PreemptType").orElse("").toLowerCase(Locale.ROOT)) {
          case "preempt/qos" -> Type.QOS;
          case "preempt/partition_prio" -> Type.PARTITION;
          default -> Type.NONE;
        };
    clusterMode = state.config().setting("PreemptMode").orElse("OFF").toUpperCase(Locale.ROOT);
    exemptSeconds = seconds(state.config().setting("PreemptExemptTime").orElse(""));
    youngestFirst = has("youngest_first");
    exemptPriority = exemptPriority();
  }

  boolean isOff() {
    return type == Type.NONE;
  }

  /** Whether PriorityTier of partitions says who may preempt, rather than QOS. */
  boolean byPartition() {
    return type == Type.PARTITION;
  }

  /**
   * Whether PreemptMode of the cluster, or of the partition of the job that preempts, is PRIORITY.
   */
  boolean saysPriority(Partition in) {
    return (clusterMode + "," + ownMode(in)).toUpperCase(Locale.ROOT).contains("PRIORITY");
  }

  private static long seconds(String text) {
    try {
      return text.isEmpty() ? 0 : Math.max(0, TimeLimits.parseSeconds(text));
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }

  /** An option of PreemptParameters, or by its former name of SchedulerParameters. */
  boolean has(String option) {
    String parameters = state.config().setting("PreemptParameters").orElse("");
    for (String word : parameters.toLowerCase(Locale.ROOT).split(",")) {
      if (word.strip().equals(option)) {
        return true;
      }
    }
    return state.config().scheduling().parameters().containsKey("preempt_" + option);
  }

  private long exemptPriority() {
    for (String word : state.config().setting("PreemptParameters").orElse("").split(",")) {
      if (word.strip().toLowerCase(Locale.ROOT).matches("min_exempt_priority=[0-9]{1,18}")) {
        return Long.parseLong(word.strip().replaceFirst(".*=", ""));
      }
    }
    return Long.MAX_VALUE;
  }

  /** Whether a running job is one that this one may preempt now. */
  boolean mayPreempt(Job job, Partition in, Job victim, Instant now) {
    Instant started = victim.started();
    boolean protectedByTime =
        started != null && started.plusSeconds(exemptSeconds(victim)).isAfter(now);
    return (borrows(victim, job) || outranks(job, in, victim))
        && mode(victim) != null
        && !protectedByTime
        && victim.priority() <= exemptPriority;
  }

  /** Whether a running job has nodes of this one's reservation until they are wanted. */
  private boolean borrows(Job victim, Job job) {
    Reservation own =
        job.reservation() == null ? null : state.reservations().get(job.reservation());
    Allocation allocation = victim.allocation();
    return own != null
        && own.maxStartDelaySeconds() > 0
        && victim.batch().yieldsToReservations()
        && allocation != null
        && own.nodes().stream().anyMatch(allocation.nodes()::contains);
  }

  /** Whether a running job is one that this one stops rather than shares its cores with. */
  boolean stops(Job job, Job victim) {
    Partition in = state.partitions().get(job.partition());
    return in != null && outranks(job, in, victim) && mode(victim) == Mode.SUSPEND;
  }

  /**
   * Whether a job that preempts by QOS may get the cores of another that is stopped for it: not one
   * that wants whole nodes, nor in a partition of whole nodes, nor one that shares its cores by
   * OverSubscribe those of one that does not; one that does not share gets those of one that does
   * in its own partition.
   */
  boolean maySuspend(Job job, Partition in, Job victim) {
    Partition of = state.partitions().get(victim.partition());
    if (of == null
        || job.request().exclusivity() == Exclusivity.NODE
        || in.overSubscribe().startsWith("EXCLUSIVE")
        || of.overSubscribe().startsWith("EXCLUSIVE")) {
      return false;
    }
    return shares(job, in) == shares(victim, of)
        || (shares(victim, of) && of.name().equals(in.name()));
  }

  /**
   * Whether the gang scheduler may give a job cores of another one, so that one of them is stopped
   * while the other works. With preempt/partition_prio not those of a higher PriorityTier, nor of a
   * partition whose jobs are left alone. Who may share cores shares with such jobs only, and who
   * may not with the others, and with those that may but of whom only one has a core at a time
   * (FORCE:1).
   */
  boolean mayOverlap(Job job, Partition in, Job other) {
    Partition of = state.partitions().get(other.partition());
    if (of == null || other.request().exclusivity() == Exclusivity.NODE) {
      return false;
    }
    boolean open =
        switch (type) {
          case NONE -> true;
          case QOS -> mode(other) == Mode.SUSPEND;
          case PARTITION -> of.priorityTier() <= in.priorityTier() && mode(other) == Mode.SUSPEND;
        };
    return open
        && (shares(job, in) == shares(other, of)
            || (!shares(job, in) && of.overSubscribe().equals("FORCE:1")));
  }

  private static boolean shares(Job job, Partition in) {
    String[] parts = in.overSubscribe().split(":", 2);
    return switch (parts[0]) {
      case "FORCE" -> true;
      case "YES" -> job.request().exclusivity() == Exclusivity.OVERSUBSCRIBE;
      default -> false;
    };
  }

  private boolean outranks(Job job, Partition in, Job victim) {
    if (type == Type.PARTITION) {
      return in.priorityTier() > tier(victim)
          && (!saysPriority(in) || job.priority() >= victim.priority());
    }
    Qos own = qos(job);
    if (own == null) {
      return false;
    }
    if (own.name().equals(victim.owner().qos())) {
      return says(own, "WITHIN") && job.priority() > victim.priority();
    }
    return own.preempt().contains(victim.owner().qos())
        && (!says(own, "PRIORITY") || job.priority() > victim.priority());
  }

  /** Whether PreemptMode of the cluster, or of the QOS of the job that preempts, has a word. */
  boolean says(Qos own, String word) {
    return clusterMode.contains(word) || own.preemptMode().toUpperCase(Locale.ROOT).contains(word);
  }

  /** The QOS of a job; null where it has none. */
  @Nullable Qos qos(Job job) {
    return state.accounting().qos().get(job.owner().qos());
  }

  /** PriorityTier of its partition. */
  int tier(Job job) {
    Partition partition = state.partitions().get(job.partition());
    return partition == null ? 0 : partition.priorityTier();
  }

  private static String ownMode(Partition partition) {
    return partition.other().getOrDefault("PreemptMode", "");
  }

  private String modeText(Job victim) {
    String decides = type == Type.QOS ? victim.owner().qos() : victim.partition();
    return modeTexts.computeIfAbsent(decides, this::modeTextOf);
  }

  private String modeTextOf(String decides) {
    String own = "";
    if (type == Type.QOS) {
      Qos qos = state.accounting().qos().get(decides);
      own = qos == null || qos.preemptMode().equals("cluster") ? "" : qos.preemptMode();
    } else {
      Partition partition = state.partitions().get(decides);
      own = partition == null ? "" : ownMode(partition);
    }
    return own.isEmpty() ? clusterMode : own.toUpperCase(Locale.ROOT);
  }

  /** What becomes of a victim; null when it is left alone. */
  @Nullable Mode mode(Job victim) {
    String text = modeText(victim);
    if (text.contains("REQUEUE")) {
      return Mode.REQUEUE;
    }
    if (victim.batch().yieldsToReservations()) {
      return Mode.CANCEL;
    }
    if (text.contains("SUSPEND")) {
      // Without the gang scheduler nobody would let it go on.
      return clusterMode.contains("GANG") ? Mode.SUSPEND : null;
    }
    return text.contains("CANCEL") ? Mode.CANCEL : null;
  }

  /**
   * PreemptExemptTime of the partition's QOS, else of its own, unless that has OverPartQOS; else of
   * the cluster.
   */
  private long exemptSeconds(Job victim) {
    Partition in = state.partitions().get(victim.partition());
    Qos ofPartition = in == null || in.qos() == null ? null : state.accounting().qosNamed(in.qos());
    Qos own = qos(victim);
    boolean ownFirst = own != null && own.has("OverPartQOS");
    for (Qos qos : Arrays.asList(ownFirst ? own : ofPartition, ownFirst ? ofPartition : own)) {
      if (qos != null && qos.preemptExemptSeconds() instanceof Long seconds) {
        return seconds;
      }
    }
    return exemptSeconds;
  }

  /** GraceTime of its QOS, or of its partition where that decides. */
  private long graceSeconds(Job victim) {
    if (type == Type.QOS) {
      Qos qos = qos(victim);
      return qos == null ? 0 : qos.graceSeconds();
    }
    Partition partition = state.partitions().get(victim.partition());
    String text = partition == null ? "0" : partition.other().getOrDefault("GraceTime", "0");
    return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : 0;
  }

  /**
   * Whether a job has sent others away so lately that they may be on their way still: within
   * KillWait and MessageTimeout (slurm.conf(5)) it sends away nobody else. As in Slurm it counts
   * too when all of them had been told by another job, and save their work.
   */
  boolean waits(Job job, Instant now) {
    SortedMap<Integer, Long> asked = last;
    if (asked == null) {
      SortedMap<Integer, Long> all = new TreeMap<>();
      for (Job other : state.jobs().values()) {
        Preemption told = other.preemption();
        if (told != null) {
          all.merge(told.by(), told.at().getEpochSecond(), Math::max);
          told.claims().forEach((id, at) -> all.merge(id, at.getEpochSecond(), Math::max));
        }
      }
      last = all;
      asked = all;
    }
    long since = now.getEpochSecond() - number("KillWait", 30) - number("MessageTimeout", 10);
    long at = asked.getOrDefault(job.id(), Long.MIN_VALUE);
    return at > since && !startedOne(job, at);
  }

  /** Whether a task of an array started on what was freed for it; the next one asks for itself. */
  private boolean startedOne(Job job, long at) {
    ArrayInfo array = job.array();
    return array != null
        && array.taskId() == null
        && state.jobs().values().stream()
            .anyMatch(
                other ->
                    other.array() != null
                        && other.array().arrayJobId() == array.arrayJobId()
                        && other.started() != null
                        && other.started().getEpochSecond() >= at);
  }

  private long number(String setting, long otherwise) {
    String text = state.config().setting(setting).orElse("");
    return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : otherwise;
  }

  /**
   * What is said to a victim.
   *
   * @param in the partition in which the other job starts
   * @param together how many are told to leave
   * @param spared who else might have been, in order
   */
  Preemption notice(Job victim, Job by, Partition in, int together, List<Job> spared, Instant now) {
    Mode mode = mode(victim);
    return new Preemption(
        by.id(),
        now,
        now.plusSeconds(borrows(victim, by) ? victim.batch().warnSeconds() : graceSeconds(victim)),
        mode == null ? Mode.CANCEL : mode,
        why(victim, by, in, together, spared));
  }

  private Preemption.Why why(Job victim, Job by, Partition in, int together, List<Job> spared) {
    boolean partition = type == Type.PARTITION;
    if (borrows(victim, by) && !outranks(by, in, victim)) {
      return new Preemption.Why(
          Preemption.Rule.RESERVATION,
          by.reservation() == null ? "" : by.reservation(),
          victim.owner().qos(),
          youngestFirst,
          together,
          spared.size(),
          named(spared),
          planned(by));
    }
    boolean same = by.owner().qos().equals(victim.owner().qos());
    return new Preemption.Why(
        partition
            ? Preemption.Rule.PARTITION
            : same ? Preemption.Rule.WITHIN_QOS : Preemption.Rule.QOS,
        partition ? in.name() : by.owner().qos(),
        partition ? victim.partition() : victim.owner().qos(),
        youngestFirst,
        together,
        spared.size(),
        named(spared),
        planned(by));
  }

  private static List<Integer> named(List<Job> spared) {
    return spared.stream().limit(MOST_NAMED).map(Job::id).toList();
  }

  private static @Nullable Instant planned(Job by) {
    return by.planned() == null ? null : by.planned().start();
  }

  /**
   * The order in which victims are taken: of the lowest rank first, of those on the fewest nodes,
   * then by their numbers; with youngest_first, as they started last.
   */
  Comparator<Job> order() {
    Comparator<Job> first =
        youngestFirst
            ? Comparator.comparing(PreemptRules::startedAt).reversed()
            : Comparator.comparingLong(this::rank);
    return first.thenComparingInt(this::place);
  }

  /**
   * Where Slurm has a job in its list: by its number, and of an array each task where the one
   * before it was split off, since the record of the array moves behind it then.
   */
  private int place(Job job) {
    ArrayInfo array = job.array();
    if (array == null) {
      return job.id();
    }
    TreeSet<Integer> split =
        splits.computeIfAbsent(array.arrayJobId(), id -> new TreeSet<>(splitOf(id)));
    Integer before =
        job.id() == array.arrayJobId() ? split.lower(Integer.MAX_VALUE) : split.lower(job.id());
    return before == null ? array.arrayJobId() : before;
  }

  private List<Integer> splitOf(int arrayJobId) {
    return state.jobs().values().stream()
        .filter(j -> j.array() != null && j.array().arrayJobId() == arrayJobId)
        .map(Job::id)
        .filter(id -> id != arrayJobId)
        .toList();
  }

  private static long startedAt(Job victim) {
    return victim.started() == null ? Long.MIN_VALUE : victim.started().getEpochSecond();
  }

  private long rank(Job victim) {
    Qos qos = qos(victim);
    long own = type == Type.PARTITION ? tier(victim) : qos == null ? 0 : qos.priority();
    int nodes = victim.allocation() == null ? 0 : victim.allocation().shares().size();
    return (Math.min(own, MOST) << 16) + Math.min(nodes, MOST);
  }

  /** How often victims are put in another order, so that fewer must go (reorder_count). */
  int reorders() {
    for (String word : state.config().setting("PreemptParameters").orElse("").split(",")) {
      if (word.strip().toLowerCase(Locale.ROOT).matches("reorder_count=[0-9]{1,4}")) {
        return Integer.parseInt(word.strip().replaceFirst(".*=", ""));
      }
    }
    String former = state.config().scheduling().parameters().get("preempt_reorder_count");
    return former != null && former.matches("[0-9]{1,4}") ? Integer.parseInt(former) : 1;
  }

  /** Whether who had to go is only put first, instead of who helps most (strict_order). */
  boolean isStrict() {
    return has("strict_order");
  }
}
