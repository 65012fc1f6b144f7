package dev.yardmaster.cli;

import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.AssociationUsage;
import dev.yardmaster.model.LimitKind;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What {@code sshare --json} tells of each association. */
final class SshareJson {
  /** What Slurm makes of the shares of the root, which has none. */
  private static final double NO_SHARES = 1.0 / 4294967294L;

  private final AccountingReport report;
  private final List<String> tres;
  private final boolean tree;

  /**
   * @param tres all that is tracked, in Slurm's order
   * @param tree whether shares are those of the fair tree
   */
  SshareJson(AccountingReport report, List<String> tres, boolean tree) {
    this.report = report;
    this.tres = tres;
    this.tree = tree;
  }

  void write(DataDocument to, Collection<Association> associations) throws IOException {
    to.object(
        "shares",
        shares -> {
          shares.objects("shares", associations, this::association);
          shares.number("total_shares", 0);
        });
  }

  private void association(DataDocument to, Association a) throws IOException {
    AssociationUsage usage = report.usageOf(a);
    boolean root = a.parent() == 0;
    to.number("id", a.id());
    to.text("cluster", report.cluster());
    to.text("name", a.isUser() ? a.user() : a.account());
    to.text("parent", root ? "" : a.isUser() ? a.account() : parent(a));
    to.text("partition", a.partition());
    double norm = root ? NO_SHARES : report.normShares().getOrDefault(a.id(), 0.0);
    to.fraction("shares_normalized", true, false, norm);
    to.set("shares", root ? null : (long) a.shares());
    to.object("tres", amounts -> amounts(amounts, a, usage));
    to.fraction("effective_usage", true, false, usage.effectiveUsage());
    boolean calculated = !root && (usage.effectiveUsage() > 0 || usage.levelFs() != 0);
    to.fraction("usage_normalized", calculated, false, calculated ? usage.normUsage() : 0);
    to.number("usage", (long) usage.raw());
    to.object("fairshare", fairshare -> fairshare(fairshare, a, usage));
    to.list("type", List.of(a.isUser() ? "USER" : "ASSOCIATION"));
  }

  private String parent(Association a) {
    return report.accounting().upwards(a).stream()
        .filter(other -> other.id() == a.parent())
        .map(Association::account)
        .findFirst()
        .orElse("");
  }

  private void fairshare(DataDocument to, Association a, AssociationUsage usage)
      throws IOException {
    to.fraction("factor", true, false, a.isUser() ? usage.fairShare() : 0);
    boolean level = tree && a.parent() != 0;
    boolean endless = level && Double.isInfinite(usage.levelFs());
    to.fraction("level", level && !endless, endless, level && !endless ? usage.levelFs() : 0);
  }

  private void amounts(DataDocument to, Association a, AssociationUsage usage) throws IOException {
    Map<String, Long> running = report.runMinutes().getOrDefault(a.id(), new TreeMap<>());
    to.objects(
        "run_seconds",
        tres,
        (one, name) -> {
          one.text("name", name);
          one.set("value", 60 * running.getOrDefault(name, 0L));
        });
    SortedMap<String, Long> limits = a.limits().tres(LimitKind.GRP_TRES_MINS);
    to.objects(
        "group_minutes",
        tres,
        (one, name) -> {
          one.text("name", name);
          one.bound("value", limits.get(name));
        });
    to.objects(
        "usage",
        tres,
        (one, name) -> {
          one.text("name", name);
          double used = usage.tres().getOrDefault(name, 0.0);
          one.out().writeNumberField("value", Math.round(used * 1e6) / 1e6);
        });
  }
}
