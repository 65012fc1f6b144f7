package dev.yardmaster.cli;

import dev.yardmaster.model.Account;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Limits;
import dev.yardmaster.model.Qos;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What {@code sacctmgr --json show} tells of accounts, associations, QOS, TRES and users. */
final class SacctmgrJson {
  /** Slurm's names of the flags of a QOS in data. */
  private static final Map<String, String> QOS_FLAGS =
      Map.ofEntries(
          Map.entry("partitionminnodes", "PARTITION_MINIMUM_NODE"),
          Map.entry("partitionmaxnodes", "PARTITION_MAXIMUM_NODE"),
          Map.entry("partitiontimelimit", "PARTITION_TIME_LIMIT"),
          Map.entry("enforceusagethreshold", "ENFORCE_USAGE_THRESHOLD"),
          Map.entry("noreserve", "NO_RESERVE"),
          Map.entry("requiresreservation", "REQUIRED_RESERVATION"),
          Map.entry("denyonlimit", "DENY_LIMIT"),
          Map.entry("overpartqos", "OVERRIDE_PARTITION_QOS"),
          Map.entry("nodecay", "NO_DECAY"),
          Map.entry("usagefactorsafe", "USAGE_FACTOR_SAFE"),
          Map.entry("relative", "RELATIVE"));

  private final AccountingReport report;
  private final TreeMap<String, Integer> tres = new TreeMap<>();
  private final List<String> order;

  /**
   * @param order all TRES that are tracked, in Slurm's order, which gives them their numbers
   */
  SacctmgrJson(AccountingReport report, List<String> order) {
    this.report = report;
    this.order = order;
    int id = 1;
    for (String name : order) {
      tres.put(name, id);
      id = id == 8 ? 1001 : id + 1;
    }
  }

  void accounts(DataDocument to, Collection<Account> accounts, boolean with) throws IOException {
    to.objects(
        "accounts",
        accounts,
        (one, account) -> {
          one.objects("associations", with ? ofAccount(account.name()) : List.of(), this::brief);
          one.objects("coordinators", List.<String>of(), (coordinator, name) -> {});
          one.text("description", account.description());
          one.text("name", account.name());
          one.text("organization", account.organization());
          one.list("flags", List.of());
        });
  }

  private List<Association> ofAccount(String account) {
    return report.accounting().inTreeOrder().stream()
        .filter(a -> a.account().equals(account))
        .toList();
  }

  void users(DataDocument to, Collection<AccountUser> users, boolean with) throws IOException {
    to.objects(
        "users",
        users,
        (one, user) -> {
          String level = user.adminLevel().name().toLowerCase(Locale.ROOT);
          one.list(
              "administrator_level",
              List.of(level.substring(0, 1).toUpperCase(Locale.ROOT) + level.substring(1)));
          List<Association> own =
              report.accounting().inTreeOrder().stream()
                  .filter(a -> with && a.user().equals(user.name()))
                  .toList();
          one.objects("associations", own, this::brief);
          one.objects("coordinators", List.<String>of(), (coordinator, name) -> {});
          one.object(
              "default",
              defaults -> {
                defaults.number("qos", 0);
                defaults.text("account", user.defaultAccount());
                defaults.text("wckey", user.defaultWckey());
              });
          one.list("flags", List.of("NONE"));
          one.text("name", user.name());
          one.text("old_name", "");
          one.list("wckeys", List.of());
        });
  }

  private void brief(DataDocument to, Association a) throws IOException {
    to.text("account", a.account());
    to.text("cluster", report.cluster());
    to.text("partition", a.partition());
    to.text("user", a.user());
    to.number("id", a.id());
  }

  /** All TRES; how much of them there is belongs to clusters. */
  void tres(DataDocument to) throws IOException {
    TreeMap<String, Long> all = new TreeMap<>();
    order.forEach(name -> all.put(name, 0L));
    amounts(to, "TRES", all);
  }

  private void amounts(DataDocument to, String name, SortedMap<String, Long> amounts)
      throws IOException {
    to.objects(
        name,
        order.stream().filter(amounts::containsKey).toList(),
        (one, tresName) -> {
          int slash = tresName.indexOf('/');
          one.text("type", slash < 0 ? tresName : tresName.substring(0, slash));
          one.text("name", slash < 0 ? "" : tresName.substring(slash + 1));
          one.number("id", tres.getOrDefault(tresName, 0));
          one.number("count", amounts.getOrDefault(tresName, 0L));
        });
  }

  void associations(DataDocument to, Collection<Association> associations) throws IOException {
    to.objects("associations", associations, this::association);
  }

  private void association(DataDocument to, Association a) throws IOException {
    Limits limits = a.limits();
    to.list("accounting", List.of());
    to.text("account", a.account());
    to.text("cluster", report.cluster());
    to.text("comment", a.comment());
    to.object("default", one -> one.text("qos", a.defaultQos()));
    to.list("flags", List.of());
    to.object("max", max -> mostOf(max, limits));
    to.number("id", a.id());
    AccountUser user = report.accounting().users().get(a.user());
    to.out()
        .writeBooleanField(
            "is_default",
            user != null && a.partition().isEmpty() && user.defaultAccount().equals(a.account()));
    to.text("lineage", lineage(a));
    to.object(
        "min", min -> number(min, "priority_threshold", limits, LimitKind.MIN_PRIO_THRESHOLD));
    to.text("parent_account", a.isUser() ? "" : parent(a));
    to.text("partition", a.partition());
    to.bound("priority", a.priority());
    to.list("qos", byNumber(report.accounting().qosOf(a)));
    to.number("shares_raw", a.shares());
    to.text("user", a.user());
  }

  private List<String> byNumber(Collection<String> names) {
    Map<String, Qos> known = report.accounting().qos();
    return names.stream()
        .sorted(Comparator.comparingInt(n -> known.containsKey(n) ? known.get(n).id() : 0))
        .toList();
  }

  private String parent(Association a) {
    return report.accounting().upwards(a).stream()
        .filter(other -> other.id() == a.parent())
        .map(Association::account)
        .findFirst()
        .orElse("");
  }

  /** The way from the root, and of a user the partition, which is 0 for all. */
  private String lineage(Association a) {
    StringBuilder way = new StringBuilder("/");
    for (Association step : report.accounting().upwards(a).reversed()) {
      if (step.parent() != 0 && !step.isUser()) {
        way.append(step.account()).append('/');
      }
    }
    return a.isUser()
        ? way + (a.partition().isEmpty() ? "0" : a.partition()) + "-" + a.user() + "/"
        : way.toString();
  }

  private void mostOf(DataDocument max, Limits limits) throws IOException {
    max.object(
        "jobs",
        jobs -> {
          jobs.object(
              "per",
              per -> {
                number(per, "count", limits, LimitKind.GRP_JOBS);
                number(per, "accruing", limits, LimitKind.GRP_JOBS_ACCRUE);
                number(per, "submitted", limits, LimitKind.GRP_SUBMIT);
                number(per, "wall_clock", limits, LimitKind.MAX_WALL);
              });
          number(jobs, "active", limits, LimitKind.MAX_JOBS);
          number(jobs, "accruing", limits, LimitKind.MAX_JOBS_ACCRUE);
          number(jobs, "total", limits, LimitKind.MAX_SUBMIT);
        });
    max.object(
        "tres",
        amounts -> {
          amounts(amounts, "total", limits.tres(LimitKind.GRP_TRES));
          amounts.object(
              "group",
              group -> {
                amounts(group, "minutes", limits.tres(LimitKind.GRP_TRES_MINS));
                amounts(group, "active", limits.tres(LimitKind.GRP_TRES_RUN_MINS));
              });
          amounts.object(
              "minutes",
              minutes -> {
                minutes.list("total", List.of());
                minutes.object(
                    "per", per -> amounts(per, "job", limits.tres(LimitKind.MAX_TRES_MINS)));
              });
          amounts.object(
              "per",
              per -> {
                amounts(per, "job", limits.tres(LimitKind.MAX_TRES));
                amounts(per, "node", limits.tres(LimitKind.MAX_TRES_PER_NODE));
              });
        });
    max.object(
        "per",
        per ->
            per.object(
                "account", account -> number(account, "wall_clock", limits, LimitKind.GRP_WALL)));
  }

  private static void number(DataDocument to, String name, Limits limits, LimitKind kind)
      throws IOException {
    to.bound(name, limits.number(kind));
  }

  void qos(DataDocument to, Collection<Qos> all) throws IOException {
    to.objects("qos", all, this::qos);
  }

  private void qos(DataDocument to, Qos qos) throws IOException {
    to.text("description", qos.description());
    to.list(
        "flags",
        qos.flags().stream()
            .map(flag -> QOS_FLAGS.getOrDefault(flag.toLowerCase(Locale.ROOT), flag))
            .toList());
    to.number("id", qos.id());
    to.object("limits", limits -> limits(limits, qos));
    to.text("name", qos.name());
    to.object(
        "preempt",
        preempt -> {
          preempt.list("list", qos.preempt());
          boolean own = !qos.preemptMode().equals("cluster") && !qos.preemptMode().isEmpty();
          String modes = qos.preemptMode().toUpperCase(Locale.ROOT);
          preempt.list("mode", own ? List.of(modes.split(",")) : List.of("DISABLED"));
          preempt.bound("exempt_time", qos.preemptExemptSeconds());
        });
    to.set("priority", qos.priority());
    to.fraction("usage_factor", true, false, qos.usageFactor());
    fraction(to, "usage_threshold", qos.usageThreshold());
  }

  private static void fraction(DataDocument to, String name, @Nullable Double value)
      throws IOException {
    to.fraction(name, value != null, value == null, value == null ? 0 : value);
  }

  private void limits(DataDocument to, Qos qos) throws IOException {
    Limits limits = qos.limits();
    to.number("grace_time", qos.graceSeconds());
    to.object("max", max -> mostOfQos(max, limits));
    fraction(to, "factor", qos.limitFactor());
    to.object(
        "min",
        min -> {
          number(min, "priority_threshold", limits, LimitKind.MIN_PRIO_THRESHOLD);
          min.object(
              "tres",
              amounts ->
                  amounts.object(
                      "per", per -> amounts(per, "job", limits.tres(LimitKind.MIN_TRES))));
        });
  }

  private void mostOfQos(DataDocument max, Limits limits) throws IOException {
    max.object(
        "active_jobs",
        jobs -> {
          number(jobs, "accruing", limits, LimitKind.GRP_JOBS_ACCRUE);
          number(jobs, "count", limits, LimitKind.GRP_JOBS);
        });
    max.object(
        "jobs",
        jobs -> {
          number(jobs, "count", limits, LimitKind.GRP_SUBMIT);
          jobs.object(
              "active_jobs",
              active ->
                  per(active, limits, LimitKind.MAX_JOBS_PER_ACCOUNT, LimitKind.MAX_JOBS_PER_USER));
          per(jobs, limits, LimitKind.MAX_SUBMIT_PER_ACCOUNT, LimitKind.MAX_SUBMIT_PER_USER);
        });
    max.object("tres", amounts -> tresOfQos(amounts, limits));
    max.object(
        "wall_clock",
        wall ->
            wall.object(
                "per",
                per -> {
                  number(per, "qos", limits, LimitKind.GRP_WALL);
                  number(per, "job", limits, LimitKind.MAX_WALL);
                }));
    max.object(
        "accruing",
        accruing ->
            per(
                accruing,
                limits,
                LimitKind.MAX_JOBS_ACCRUE_PER_ACCOUNT,
                LimitKind.MAX_JOBS_ACCRUE_PER_USER));
  }

  private static void per(DataDocument to, Limits limits, LimitKind account, LimitKind user)
      throws IOException {
    to.object(
        "per",
        per -> {
          number(per, "account", limits, account);
          number(per, "user", limits, user);
        });
  }

  private void tresOfQos(DataDocument to, Limits limits) throws IOException {
    amounts(to, "total", limits.tres(LimitKind.GRP_TRES));
    to.object(
        "minutes",
        minutes -> {
          amounts(minutes, "total", limits.tres(LimitKind.GRP_TRES_MINS));
          minutes.object(
              "per",
              per -> {
                amounts(per, "qos", limits.tres(LimitKind.GRP_TRES_RUN_MINS));
                amounts(per, "job", limits.tres(LimitKind.MAX_TRES_MINS));
                amounts(per, "account", limits.tres(LimitKind.MAX_TRES_RUN_MINS_PER_ACCOUNT));
                amounts(per, "user", limits.tres(LimitKind.MAX_TRES_RUN_MINS_PER_USER));
              });
        });
    to.object(
        "per",
        per -> {
          amounts(per, "account", limits.tres(LimitKind.MAX_TRES_PER_ACCOUNT));
          amounts(per, "job", limits.tres(LimitKind.MAX_TRES));
          amounts(per, "node", limits.tres(LimitKind.MAX_TRES_PER_NODE));
          amounts(per, "user", limits.tres(LimitKind.MAX_TRES_PER_USER));
        });
  }
}
