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
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Limits of associations and QOS that an operator could raise by as much as the job lacks. */
final class LimitLevers {
  private final ClusterState state;
  private final Instant now;
  private final Job job;

  LimitLevers(ClusterState state, Instant now, Job job) {
    this.state = state;
    this.now = now;
    this.job = job;
  }

  List<Candidate> of(List<Finding> findings) {
    List<Candidate> found = new ArrayList<>();
    for (Finding finding : findings) {
      boolean ofLimit =
          finding.gate() == Gate.ASSOCIATION_LIMIT || finding.gate() == Gate.QOS_LIMIT;
      if (ofLimit && finding.blocks() && finding.evidence() instanceof Evidence.Limit limit) {
        Candidate candidate = raised(limit);
        if (candidate != null) {
          found.add(candidate);
        }
      }
    }
    return found;
  }

  private @Nullable Candidate raised(Evidence.Limit limit) {
    boolean ofQos = limit.levelKind().equals("qos");
    LimitKind kind = LimitKind.ofOption(limit.limit(), ofQos).orElse(null);
    if (kind == null) {
      return null;
    }
    long enough = kind == LimitKind.MIN_TRES ? limit.asked() : limit.used() + limit.asked();
    String tres = limit.unit().replace("-minutes", "");
    Accounting accounting = state.accounting();
    if (ofQos) {
      Qos qos = accounting.qos().get(limit.levelName());
      // the limits of a relative one are percentages, and the job lacks an amount
      if (qos == null || qos.has("Relative")) {
        return null;
      }
      Qos changed = qos.withLimits(with(qos.limits(), kind, tres, enough));
      return candidate(
          AccountingChange.NONE.withQos(List.of(changed)),
          limit,
          setting(kind, tres, enough),
          "modify qos " + qos.name());
    }
    Association a = association(accounting, limit);
    if (a == null) {
      return null;
    }
    Association changed = a.withLimits(with(a.limits(), kind, tres, enough));
    String whom =
        a.isUser()
            ? "modify user where name=" + a.user() + " account=" + a.account()
            : "modify account " + a.account();
    return candidate(
        AccountingChange.NONE.withAssociations(List.of(changed)),
        limit,
        setting(kind, tres, enough),
        whom);
  }

  private Candidate candidate(
      AccountingChange change, Evidence.Limit limit, String setting, String whom) {
    String place = limit.levelKind().equals("qos") ? "QOS " + limit.levelName() : limit.levelName();
    return new Candidate(
        Lever.RAISE_LIMIT,
        place + " " + limit.limit(),
        setting.substring(setting.indexOf('=') + 1),
        state.apply(new Event.AccountingChanged(now, change, "", "")),
        "sacctmgr -i " + whom + " set " + setting,
        false);
  }

  private static String setting(LimitKind kind, String tres, long amount) {
    if (!kind.byTres()) {
      return kind.option() + "=" + amount;
    }
    TreeMap<String, Long> amounts = new TreeMap<>();
    amounts.put(tres, amount);
    return kind.option() + "=" + new TresList(amounts);
  }

  private static Limits with(Limits limits, LimitKind kind, String tres, long amount) {
    if (!kind.byTres()) {
      return limits.with(kind, (Long) amount);
    }
    TreeMap<String, Long> amounts = new TreeMap<>();
    amounts.put(tres, amount);
    return limits.with(kind, amounts);
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
