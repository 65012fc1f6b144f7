package dev.yardmaster.cli;

import dev.yardmaster.model.Account;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Limits;
import dev.yardmaster.model.Qos;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The accounting of a cluster as the flat file of sacctmgr(1), which {@code dump} writes and {@code
 * load} reads: a line for each QOS, for the cluster, and below each account for its users and the
 * accounts in it.
 */
final class SacctmgrDump {
  /** In the order in which Slurm writes what is set of an association. */
  private static final List<LimitKind> OF_ASSOCIATIONS =
      List.of(
          LimitKind.GRP_TRES_MINS,
          LimitKind.GRP_TRES_RUN_MINS,
          LimitKind.GRP_TRES,
          LimitKind.GRP_JOBS,
          LimitKind.GRP_JOBS_ACCRUE,
          LimitKind.GRP_SUBMIT,
          LimitKind.GRP_WALL,
          LimitKind.MAX_TRES_MINS,
          LimitKind.MAX_TRES,
          LimitKind.MAX_TRES_PER_NODE,
          LimitKind.MAX_JOBS,
          LimitKind.MAX_JOBS_ACCRUE,
          LimitKind.MAX_SUBMIT,
          LimitKind.MAX_WALL,
          LimitKind.MIN_PRIO_THRESHOLD);

  private static final List<LimitKind> OF_QOS =
      List.of(
          LimitKind.GRP_JOBS_ACCRUE,
          LimitKind.GRP_JOBS,
          LimitKind.GRP_SUBMIT,
          LimitKind.GRP_TRES,
          LimitKind.GRP_TRES_MINS,
          LimitKind.GRP_TRES_RUN_MINS,
          LimitKind.GRP_WALL,
          LimitKind.MAX_JOBS_PER_ACCOUNT,
          LimitKind.MAX_JOBS_PER_USER,
          LimitKind.MAX_JOBS_ACCRUE_PER_ACCOUNT,
          LimitKind.MAX_JOBS_ACCRUE_PER_USER,
          LimitKind.MAX_SUBMIT_PER_ACCOUNT,
          LimitKind.MAX_SUBMIT_PER_USER,
          LimitKind.MAX_TRES_MINS,
          LimitKind.MAX_TRES_PER_ACCOUNT,
          LimitKind.MAX_TRES,
          LimitKind.MAX_TRES_PER_NODE,
          LimitKind.MAX_TRES_PER_USER,
          LimitKind.MAX_TRES_RUN_MINS_PER_ACCOUNT,
          LimitKind.MAX_TRES_RUN_MINS_PER_USER,
          LimitKind.MAX_WALL,
          LimitKind.MIN_PRIO_THRESHOLD,
          LimitKind.MIN_TRES);

  private final AccountingReport report;
  private final Accounting accounting;
  private final SortedMap<Integer, List<Association>> children;

  SacctmgrDump(AccountingReport report) {
    this.report = report;
    this.accounting = report.accounting();
    this.children = accounting.children();
  }

  /** All lines of the file but its remarks. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    accounting.qos().values().stream()
        .sorted(Comparator.comparing(Qos::id))
        .forEach(qos -> lines.add(line(qos)));
    Association root = accounting.ofAccount(Account.ROOT);
    if (root != null) {
      lines.add(cluster(root));
      below(root, lines);
    }
    return lines;
  }

  private void below(Association parent, List<String> lines) {
    List<Association> all =
        children.getOrDefault(parent.id(), List.of()).stream()
            .filter(a -> a.id() != parent.id())
            .toList();
    if (all.isEmpty()) {
      return;
    }
    lines.add("Parent - '" + parent.account() + "'");
    all.forEach(a -> lines.add(line(a)));
    all.stream().filter(a -> !a.isUser()).forEach(a -> below(a, lines));
  }

  private String cluster(Association root) {
    StringBuilder out = new StringBuilder("Cluster - '" + report.cluster() + "'");
    limits(out, root);
    return out.toString();
  }

  /** The line of an account, or of a user in one. */
  String line(Association a) {
    StringBuilder out = new StringBuilder();
    if (a.isUser()) {
      out.append("User - '").append(a.user()).append('\'');
      word(out, "Partition", a.partition());
      user(out, accounting.users().get(a.user()));
      word(out, "Comment", a.comment());
    } else {
      out.append("Account - '").append(a.account()).append('\'');
      Account account = accounting.accounts().get(a.account());
      if (account != null) {
        out.append(":Description='").append(account.description()).append('\'');
        out.append(":Organization='").append(account.organization()).append('\'');
      }
    }
    limits(out, a);
    return out.toString();
  }

  private void user(StringBuilder out, @Nullable AccountUser user) {
    if (user == null) {
      return;
    }
    word(out, "DefaultAccount", user.defaultAccount());
    word(out, "DefaultWCKey", user.defaultWckey());
    if (user.adminLevel() != AccountUser.AdminLevel.NONE) {
      word(out, "AdminLevel", user.adminLevel().text());
    }
    word(
        out,
        "Coordinator",
        String.join(
            ",",
            accounting.accounts().values().stream()
                .filter(account -> account.coordinators().contains(user.name()))
                .map(Account::name)
                .toList()));
    word(out, "WCKeys", String.join(",", user.wckeys()));
  }

  private void limits(StringBuilder out, Association a) {
    word(out, "DefaultQOS", a.defaultQos() == null ? "" : a.defaultQos());
    out.append(":Fairshare=").append(a.sharesParent() ? "parent" : a.shares());
    limits(out, a.limits(), OF_ASSOCIATIONS);
    if (a.priority() != null) {
      out.append(":Priority=").append(a.priority());
    }
    List<String> own = a.qos() == null ? a.qosChanges() : a.qos();
    word(out, "QOS", String.join(",", own.stream().sorted().toList()));
  }

  private static void limits(StringBuilder out, Limits limits, List<LimitKind> kinds) {
    for (LimitKind kind : kinds) {
      Map<String, Long> amounts = limits.tres(kind);
      Long number = limits.number(kind);
      if (kind.byTres() && !amounts.isEmpty()) {
        out.append(':')
            .append(kind.option())
            .append('=')
            .append(Sacctmgr.tres(new TreeMap<>(amounts)));
      } else if (number != null) {
        out.append(':').append(kind.option()).append('=').append(number);
      }
    }
  }

  /** The line of a QOS. */
  static String line(Qos qos) {
    StringBuilder out = new StringBuilder("QOS - '" + qos.name() + "'");
    out.append(":Description='").append(qos.description()).append('\'');
    word(out, "Flags", String.join(",", qos.flags()));
    number(out, "GraceTime", qos.graceSeconds());
    limits(out, qos.limits(), OF_QOS);
    word(out, "Preempt", String.join(",", qos.preempt()));
    word(
        out, "PreemptMode", qos.preemptMode().equalsIgnoreCase("cluster") ? "" : qos.preemptMode());
    if (qos.preemptExemptSeconds() != null) {
      number(out, "PreemptExemptTime", qos.preemptExemptSeconds());
    }
    number(out, "Priority", qos.priority());
    factor(out, "LimitFactor", qos.limitFactor());
    factor(out, "UsageFactor", qos.usageFactor() == 1 ? null : Double.valueOf(qos.usageFactor()));
    factor(out, "UsageThreshold", qos.usageThreshold());
    return out.toString();
  }

  private static void factor(StringBuilder out, String key, @Nullable Double value) {
    if (value != null) {
      out.append(':').append(key).append('=').append(String.format(Locale.ROOT, "%.6f", value));
    }
  }

  private static void number(StringBuilder out, String key, long value) {
    if (value != 0) {
      out.append(':').append(key).append('=').append(value);
    }
  }

  private static void word(StringBuilder out, String key, String value) {
    if (!value.isEmpty()) {
      out.append(':').append(key).append("='").append(value).append('\'');
    }
  }
}
