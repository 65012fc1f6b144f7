package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.explain.Remedy.Lever;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.AccountingChange;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Limits;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.text.TresList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Limits of associations and QOS that hold the job, which an operator could raise: by what the job
 * lacks, and further where others take that first; one of them, or several together.
 */
final class LimitLevers {
  /** A limit is raised by parts of what the job takes of it, each one {@code 1/PARTS}. */
  static final int PARTS = 64;

  private final ClusterState state;
  private final Instant now;
  private final Job job;

  LimitLevers(ClusterState state, Instant now, Job job) {
    this.state = state;
    this.now = now;
    this.job = job;
  }

  /**
   * A limit that can be raised.
   *
   * @param qos whose limit it is, or {@code association}: one of the two
   * @param place the owner in words
   * @param enough the amount that lets the job in as things are
   * @param step what the job itself takes of it; 0 where more than enough cannot help
   */
  record Raise(
      @Nullable Qos qos,
      @Nullable Association association,
      String place,
      LimitKind kind,
      String tres,
      long enough,
      long step) {
    private String owner() {
      if (qos != null) {
        return "qos " + qos.name();
      }
      Association a = Objects.requireNonNull(association);
      return a.isUser()
          ? "user where name=" + a.user() + " account=" + a.account()
          : "account " + a.account();
    }

    private Limits limits() {
      return qos != null ? qos.limits() : Objects.requireNonNull(association).limits();
    }
  }

  /** The limits that hold the job and can be raised, in the order of the findings. */
  List<Raise> of(List<Finding> findings) {
    List<Raise> found = new ArrayList<>();
    for (Finding finding : findings) {
      boolean ofLimit =
          finding.gate() == Gate.ASSOCIATION_LIMIT || finding.gate() == Gate.QOS_LIMIT;
      if (ofLimit && finding.blocks() && finding.evidence() instanceof Evidence.Limit limit) {
        Raise raise = raise(limit);
        if (raise != null) {
          found.add(raise);
        }
      }
    }
    return found;
  }

  private @Nullable Raise raise(Evidence.Limit limit) {
    boolean ofQos = limit.levelKind().equals("qos");
    LimitKind kind = LimitKind.ofOption(limit.limit(), ofQos).orElse(null);
    if (kind == null) {
      return null;
    }
    boolean least = kind == LimitKind.MIN_TRES;
    long enough = least ? limit.asked() : limit.used() + limit.asked();
    long step = least ? 0 : limit.asked();
    String tres = limit.unit().replace("-minutes", "");
    String name = limit.levelName();
    Accounting accounting = state.accounting();
    if (!ofQos) {
      Association a = association(accounting, limit);
      return a == null ? null : new Raise(null, a, name, kind, tres, enough, step);
    }
    Qos qos = accounting.qos().get(name);
    // the limits of a relative one are percentages, and the job lacks an amount
    return qos == null || qos.has("Relative")
        ? null
        : new Raise(qos, null, "QOS " + name, kind, tres, enough, step);
  }

  /**
   * Raises limits together.
   *
   * @param parts so many {@link #PARTS}ths of what the job takes of each are added to what is
   *     enough for it
   */
  Candidate raised(List<Raise> raises, long parts) {
    TreeMap<String, Limits> limits = new TreeMap<>();
    Map<String, Map<LimitKind, TreeMap<String, Long>>> settings = new LinkedHashMap<>();
    List<String> from = new ArrayList<>();
    List<String> to = new ArrayList<>();
    ClusterState fork = state;
    for (Raise raise : raises) {
      TreeMap<String, Long> amounts = new TreeMap<>();
      amounts.put(raise.tres(), raise.enough() + Math.ceilDiv(parts * raise.step(), PARTS));
      Limits changed =
          with(limits.getOrDefault(raise.owner(), raise.limits()), raise.kind(), amounts);
      limits.put(raise.owner(), changed);
      settings
          .computeIfAbsent(raise.owner(), o -> new LinkedHashMap<>())
          .computeIfAbsent(raise.kind(), k -> new TreeMap<>())
          .putAll(amounts);
      from.add(raise.place() + " " + raise.kind().option());
      to.add(value(raise.kind(), amounts));
      AccountingChange change =
          raise.qos() != null
              ? AccountingChange.NONE.withQos(List.of(raise.qos().withLimits(changed)))
              : AccountingChange.NONE.withAssociations(
                  List.of(Objects.requireNonNull(raise.association()).withLimits(changed)));
      fork = fork.apply(new Event.AccountingChanged(now, change, "", ""));
    }
    return new Candidate(
        Lever.RAISE_LIMIT,
        String.join("\n", from),
        String.join("\n", to),
        fork,
        settings.entrySet().stream()
            .map(e -> command(e.getKey(), e.getValue()))
            .collect(Collectors.joining(" && ")),
        false);
  }

  private static String command(String owner, Map<LimitKind, TreeMap<String, Long>> settings) {
    StringBuilder command = new StringBuilder("sacctmgr -i modify " + owner + " set");
    settings.forEach(
        (kind, amounts) ->
            command.append(' ').append(kind.option()).append('=').append(value(kind, amounts)));
    return command.toString();
  }

  private static String value(LimitKind kind, TreeMap<String, Long> amounts) {
    return kind.byTres()
        ? new TresList(amounts).toString()
        : amounts.firstEntry().getValue().toString();
  }

  private static Limits with(Limits limits, LimitKind kind, TreeMap<String, Long> amounts) {
    return kind.byTres()
        ? limits.with(kind, amounts)
        : limits.with(kind, amounts.firstEntry().getValue());
  }

  /** The association of the job, or one above it, that the evidence names. */
  private @Nullable Association association(Accounting accounting, Evidence.Limit limit) {
    Association own = accounting.find(job.owner().user(), job.owner().account(), job.partition());
    if (own == null) {
      return null;
    }
    for (Association a : accounting.upwards(own)) {
      boolean named =
          limit.levelKind().equals("user")
              ? a.isUser()
              : !a.isUser() && a.account().equals(limit.levelName());
      if (named) {
        return a;
      }
    }
    return null;
  }
}
