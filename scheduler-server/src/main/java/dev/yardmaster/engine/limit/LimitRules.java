package dev.yardmaster.engine.limit;

import dev.yardmaster.engine.share.UsageBook;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Limits;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.Tres;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The limits of associations and QOS about one job (resource_limits): each is measured by the first
 * place that sets it, in the order partition QOS, job QOS, user, accounts upwards.
 */
final class LimitRules {
  private static final List<LimitKind> QOS_NUMBERS =
      List.of(
          LimitKind.GRP_JOBS,
          LimitKind.GRP_WALL,
          LimitKind.MAX_JOBS_PER_ACCOUNT,
          LimitKind.MAX_JOBS_PER_USER,
          LimitKind.MAX_WALL);

  /** In the order that Slurm looks at them once it has nodes for a job. */
  private static final List<LimitKind> QOS_TRES =
      List.of(
          LimitKind.GRP_TRES_MINS,
          LimitKind.GRP_TRES,
          LimitKind.GRP_TRES_RUN_MINS,
          LimitKind.MAX_TRES_MINS,
          LimitKind.MAX_TRES,
          LimitKind.MAX_TRES_PER_NODE,
          LimitKind.MIN_TRES,
          LimitKind.MAX_TRES_PER_ACCOUNT,
          LimitKind.MAX_TRES_PER_USER,
          LimitKind.MAX_TRES_RUN_MINS_PER_ACCOUNT,
          LimitKind.MAX_TRES_RUN_MINS_PER_USER);

  private static final List<LimitKind> GROUP_NUMBERS =
      List.of(LimitKind.GRP_JOBS, LimitKind.GRP_WALL);
  private static final List<LimitKind> OWN_NUMBERS =
      List.of(LimitKind.MAX_JOBS, LimitKind.MAX_WALL);
  private static final List<LimitKind> GROUP_TRES =
      List.of(LimitKind.GRP_TRES_MINS, LimitKind.GRP_TRES, LimitKind.GRP_TRES_RUN_MINS);
  private static final List<LimitKind> OWN_TRES =
      List.of(LimitKind.MAX_TRES_MINS, LimitKind.MAX_TRES, LimitKind.MAX_TRES_PER_NODE);

  private static final List<String> OWN = List.of(Tres.CPU, Tres.MEM, Tres.NODE, Tres.BILLING);

  private final UsageBook book;
  private final Usages usages;
  private final boolean safe;

  /** Whether UsageFactorSafe counts: a job is about to start, rather than submitted. */
  private final boolean counts;

  private final Job job;
  private final Charges charges;
  private final Demand demand;
  private final @Nullable Collection<String> nodes;

  /** Told of each limit; says whether to go on. */
  private final Predicate<Measure> listener;

  /**
   * @param counts whether the job is to start; else it is looked at by itself, as at submission
   * @param nodes where the job was placed; null when that is not known
   */
  LimitRules(
      UsageBook book,
      Usages usages,
      boolean safe,
      boolean counts,
      Job job,
      Charges charges,
      Demand demand,
      @Nullable Collection<String> nodes,
      Predicate<Measure> listener) {
    this.book = book;
    this.usages = usages;
    this.safe = safe;
    this.counts = counts;
    this.job = job;
    this.charges = charges;
    this.demand = demand;
    this.nodes = nodes;
    this.listener = listener;
  }

  /** Measures every limit until the listener has heard enough. */
  void measure() {
    boolean more = true;
    for (int i = 0; i < charges.qos().size() && more; i++) {
      more = numbers(charges.qos(), i, QOS_NUMBERS);
    }
    more = more && ofLine(GROUP_NUMBERS, OWN_NUMBERS, this::numbers);
    for (int i = 0; i < charges.qos().size() && more; i++) {
      more = amounts(charges.qos(), i, QOS_TRES);
    }
    if (more) {
      ofLine(GROUP_TRES, OWN_TRES, this::amounts);
    }
  }

  /** Looks at limits of one of the places. */
  private interface Look {
    boolean goesOn(List<Level> levels, int at, List<LimitKind> kinds);
  }

  /**
   * What an association sets for each job it has from the nearest above it that sets it; so these
   * limits come with its own, and those on groups place by place.
   */
  private boolean ofLine(List<LimitKind> group, List<LimitKind> own, Look look) {
    List<Level> line = charges.line();
    boolean more = true;
    for (int i = 0; i < line.size() && more; i++) {
      more = look.goesOn(line, i, group);
      for (int k = 0; i == 0 && k < own.size(); k++) {
        for (int j = 0; j < line.size() && more; j++) {
          more = look.goesOn(line, j, List.of(own.get(k)));
        }
      }
    }
    return more;
  }

  /**
   * Measures what a QOS with DenyOnLimit refuses at submission, where each place is asked for, in
   * Slurm's order.
   */
  boolean ofQos(int at, List<LimitKind> kinds) {
    return each(charges.qos(), at, kinds);
  }

  /** The same of an association, or one above it. */
  boolean ofAssociation(int at, List<LimitKind> kinds) {
    return each(charges.line(), at, kinds);
  }

  private boolean each(List<Level> levels, int at, List<LimitKind> kinds) {
    boolean more = true;
    for (int i = 0; i < kinds.size() && more; i++) {
      List<LimitKind> kind = List.of(kinds.get(i));
      more = numbers(levels, at, kind) && amounts(levels, at, kind);
    }
    return more;
  }

  private boolean numbers(List<Level> levels, int at, List<LimitKind> kinds) {
    Level level = levels.get(at);
    if (level.limits().numbers().isEmpty()) {
      return true;
    }
    for (LimitKind kind : kinds) {
      Long allowed = level.limits().number(kind);
      if (allowed != null && !decided(levels, at, kind, "")) {
        if (!listener.test(number(level, kind, allowed))) {
          return false;
        }
      }
    }
    return true;
  }

  private Measure number(Level level, LimitKind kind, long allowed) {
    return switch (kind) {
      case MAX_WALL -> {
        long asked = minutes();
        yield new Measure(level, kind, "", allowed, 0, asked, asked > allowed);
      }
      case GRP_WALL -> {
        long used = (long) (wallSeconds(level) / 60);
        long asked = safe ? minutes() : 0;
        boolean broken = safe ? used + asked > allowed : used >= allowed;
        yield new Measure(level, kind, "", allowed, used, asked, broken);
      }
      default -> {
        long used = jobs(level, kind);
        yield new Measure(level, kind, "", allowed, used, 1, used + 1 > allowed);
      }
    };
  }

  private long jobs(Level level, LimitKind kind) {
    return switch (kind) {
      case MAX_JOBS_PER_ACCOUNT -> usages.byAccount(level, job).jobs();
      case MAX_JOBS_PER_USER -> usages.byUser(level, job).jobs();
      case MAX_JOBS -> usages.of(charges.line().getFirst()).jobs();
      default -> usages.of(level).jobs();
    };
  }

  private double wallSeconds(Level level) {
    return level.association() != null
        ? book.of(level.association()).wallSeconds()
        : book.ofQos(level.name()).wallSeconds();
  }

  private boolean amounts(List<Level> levels, int at, List<LimitKind> kinds) {
    Level level = levels.get(at);
    if (level.limits().tres().isEmpty()) {
      return true;
    }
    for (LimitKind kind : kinds) {
      SortedMap<String, Long> limits = level.limits().tres().get(kind);
      if (limits == null) {
        continue;
      }
      for (String tres : inOrder(limits)) {
        long asked = demand.tres().get(tres);
        boolean concerns = asked > 0 || kind == LimitKind.MIN_TRES;
        if (concerns && !decided(levels, at, kind, tres)) {
          if (!listener.test(amount(level, kind, tres, limits.getOrDefault(tres, 0L), asked))) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /** Slurm numbers its own TRES before the generic ones. */
  private static List<String> inOrder(SortedMap<String, Long> limits) {
    if (limits.size() < 2) {
      return List.copyOf(limits.keySet());
    }
    return limits.keySet().stream()
        .sorted(Comparator.comparingInt(t -> OWN.contains(t) ? OWN.indexOf(t) : OWN.size()))
        .toList();
  }

  private Measure amount(Level level, LimitKind kind, String tres, long limit, long asked) {
    long allowed = (long) (limit * level.factor());
    long minutes = asked * minutes();
    return switch (kind) {
      case MIN_TRES -> new Measure(level, kind, tres, limit, 0, asked, asked < limit);
      case MAX_TRES -> new Measure(level, kind, tres, allowed, 0, asked, asked > allowed);
      case MAX_TRES_PER_NODE -> {
        long each = asked / demand.nodes();
        yield new Measure(level, kind, tres, limit, 0, each, each > limit);
      }
      case MAX_TRES_MINS -> new Measure(level, kind, tres, limit, 0, minutes, minutes > limit);
      case GRP_TRES_MINS -> minutesOfAll(level, tres, limit, minutes);
      case GRP_TRES_RUN_MINS -> running(level, kind, tres, limit, usages.of(level), minutes);
      case MAX_TRES_RUN_MINS_PER_USER ->
          running(level, kind, tres, limit, usages.byUser(level, job), minutes);
      case MAX_TRES_RUN_MINS_PER_ACCOUNT ->
          running(level, kind, tres, limit, usages.byAccount(level, job), minutes);
      case MAX_TRES_PER_USER -> held(level, kind, tres, limit, usages.byUser(level, job), asked);
      case MAX_TRES_PER_ACCOUNT ->
          held(level, kind, tres, limit, usages.byAccount(level, job), asked);
      default -> held(level, kind, tres, allowed, usages.of(level), asked);
    };
  }

  /** How long the job may run; with UsageFactorSafe of its QOS, as that is counted. */
  private long minutes() {
    Qos of = charges.ofJob();
    return counts && of != null && of.has("UsageFactorSafe")
        ? (long) (demand.minutes() * of.usageFactor())
        : demand.minutes();
  }

  /** Under a QOS whose use counts nothing, what others use does not matter. */
  private boolean isFree() {
    return charges.ofJob() != null && charges.ofJob().usageFactor() == 0;
  }

  private Measure running(
      Level level, LimitKind kind, String tres, long limit, Usages.Use use, long asked) {
    long used = isFree() ? 0 : use.runMinutes(tres);
    return new Measure(level, kind, tres, limit, used, asked, used + asked > limit);
  }

  private Measure held(
      Level level, LimitKind kind, String tres, long limit, Usages.Use use, long asked) {
    if (tres.equals(Tres.NODE) && asked > limit) {
      // what is held already would help only if it were more than the limit allows
      return new Measure(level, kind, tres, limit, 0, asked, true);
    }
    long used = use.tres(tres);
    long more = tres.equals(Tres.NODE) ? newNodes(use, asked) : asked;
    return new Measure(level, kind, tres, limit, used, more, used + more > limit);
  }

  private long newNodes(Usages.Use use, long asked) {
    return nodes == null
        ? NodeLimits.leastNew(job, use, asked)
        : nodes.stream().filter(n -> !use.holds(n)).count();
  }

  /**
   * GrpTRESMins: what was used counts; with "safe" also what running jobs may still use, and this
   * job to its end.
   */
  private Measure minutesOfAll(Level level, String tres, long limit, long minutes) {
    double seconds =
        level.association() != null
            ? book.of(level.association()).tres().getOrDefault(tres, 0.0)
            : book.ofQos(level.name()).tres().getOrDefault(tres, 0.0);
    long used = isFree() ? 0 : (long) (seconds / 60);
    if (!safe) {
      return new Measure(level, LimitKind.GRP_TRES_MINS, tres, limit, used, 0, used >= limit);
    }
    used += isFree() ? 0 : usages.of(level).runMinutes(tres);
    return new Measure(
        level, LimitKind.GRP_TRES_MINS, tres, limit, used, minutes, used + minutes > limit);
  }

  /** Whether a place before this one has decided a limit. */
  private boolean decided(List<Level> levels, int at, LimitKind kind, String tres) {
    boolean association = !levels.get(at).isQos();
    if (association) {
      for (Level qos : charges.qos()) {
        boolean sets =
            kind == LimitKind.MAX_JOBS
                ? sets(qos.limits(), LimitKind.MAX_JOBS_PER_USER, tres)
                    || sets(qos.limits(), LimitKind.MAX_JOBS_PER_ACCOUNT, tres)
                : sets(qos.limits(), kind, tres);
        if (sets) {
          return true;
        }
      }
      if (kind.option().startsWith("Grp")) {
        return false;
      }
    }
    for (int i = 0; i < at; i++) {
      if (sets(levels.get(i).limits(), kind, tres)) {
        return true;
      }
    }
    return false;
  }

  static boolean sets(Limits limits, LimitKind kind, @Nullable String tres) {
    return tres == null || tres.isEmpty()
        ? limits.number(kind) != null
        : limits.tres(kind).containsKey(tres);
  }
}
