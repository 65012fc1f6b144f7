package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.AssociationUsage;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Limits;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.QosUsage;
import dev.yardmaster.model.Tres;
import dev.yardmaster.model.text.AccountingNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the controller knows of users, associations and QOS (scontrol(1), show assoc_mgr). */
final class AssocMgr {
  private static final String INDENT = "    ";

  private final boolean oneLine;
  private final Io io;
  private final List<String> users = new ArrayList<>();
  private final List<String> accounts = new ArrayList<>();
  private final List<String> qos = new ArrayList<>();
  private String flags = "users,assoc,qos";
  private List<String> tres = List.of();

  AssocMgr(boolean oneLine, Io io) {
    this.oneLine = oneLine;
    this.io = io;
  }

  /** What jobs of something hold now, and how many there are. */
  private record Held(
      int running,
      int accruing,
      int submitted,
      Map<String, Long> tres,
      Map<String, Long> minutes) {}

  /**
   * Prints it.
   *
   * @return the exit code
   */
  int show(SchedulerClient client, List<String> words) throws ClientException, CommandFailure {
    for (String word : words) {
      String wrong = read(word);
      if (wrong != null) {
        io.err().println(wrong);
        return wrong.startsWith("invalid entity") ? 1 : 0;
      }
    }
    AccountingReport report = client.accounting();
    ClusterView view = client.read(Selection.of(Selection.Jobs.LIVE));
    tres = Sshare.trackedTres(client.info());
    io.out().println("Current Association Manager state");
    if (flags.contains("users")) {
      users(report);
    }
    if (flags.contains("assoc")) {
      associations(report, view);
    }
    if (flags.contains("qos")) {
      qos(report, view);
    }
    return 0;
  }

  /** Null when a word is a filter that there is. */
  private @Nullable String read(String word) {
    int equals = word.indexOf('=');
    String name = equals < 0 ? word : word.substring(0, equals);
    String value = equals < 0 ? "" : word.substring(equals + 1);
    if (value.isEmpty()) {
      return "No value given for option " + word;
    }
    if (Scontrol.is(name, "accounts", 1)) {
      accounts.addAll(Formats.list(value.toLowerCase(Locale.ROOT)));
    } else if (Scontrol.is(name, "flags", 1)) {
      flags = value.toLowerCase(Locale.ROOT);
      if (!flags.contains("users") && !flags.contains("assoc") && !flags.contains("qos")) {
        return "invalid flag '" + value + "', valid options are 'Assoc, QOS, and/or Users'";
      }
    } else if (Scontrol.is(name, "qos", 1)) {
      qos.addAll(Formats.list(value));
    } else if (Scontrol.is(name, "users", 1)) {
      users.addAll(Formats.list(value));
    } else {
      return "invalid entity: " + word + " for keyword:show assoc_mgr";
    }
    return null;
  }

  private void head(String text) {
    io.out().println(oneLine ? text : "\n" + text + "\n");
  }

  private int uid(String user) {
    Credential known = io.machine().find(user);
    return known == null ? 0 : known.uid();
  }

  private void users(AccountingReport report) {
    List<AccountUser> shown =
        report.accounting().users().values().stream()
            .filter(u -> users.isEmpty() || users.contains(u.name()))
            .sorted(Comparator.comparingInt(u -> uid(u.name())))
            .toList();
    head(shown.isEmpty() ? "No users currently cached in Slurm." : "User Records");
    for (AccountUser user : shown) {
      String key = user.defaultWckey().isEmpty() ? "(null)" : user.defaultWckey();
      io.out()
          .println(
              "UserName=%s(%d) DefAccount=%s DefWckey=%s AdminLevel=%s"
                  .formatted(
                      user.name(),
                      uid(user.name()),
                      user.defaultAccount(),
                      key,
                      user.adminLevel().text()));
    }
  }

  private void associations(AccountingReport report, ClusterView view) {
    List<Association> shown =
        report.accounting().inTreeOrder().stream()
            .filter(a -> accounts.isEmpty() || AccountingNames.has(accounts, a.account()))
            .filter(a -> users.isEmpty() || !a.isUser() || AccountingNames.has(users, a.user()))
            .toList();
    head(shown.isEmpty() ? "No associations currently cached in Slurm." : "Association Records");
    for (Association a : shown) {
      Held held =
          held(
              view,
              job -> {
                Association own =
                    report
                        .accounting()
                        .find(job.owner().user(), job.owner().account(), job.partition());
                return own != null && report.accounting().upwards(own).contains(a);
              });
      print(association(report, a, held));
    }
  }

  private List<String> association(AccountingReport report, Association a, Held held) {
    AssociationUsage usage = report.usageOf(a);
    Association parent = report.accounting().associations().get(a.parent());
    Limits limits = a.limits();
    long level =
        a.parent() == 0
            ? 1
            : report.accounting().associations().values().stream()
                .filter(o -> o.parent() == a.parent() && !o.sharesParent())
                .mapToLong(Association::shares)
                .sum();
    AccountUser user = report.accounting().users().get(a.user());
    boolean isDefault = user != null && user.defaultAccount().equals(a.account());
    String priority = a.priority() == null ? "0" : a.priority().toString();
    boolean isRoot = a.parent() == 0;
    List<String> lines = new ArrayList<>();
    lines.add(
        "ClusterName=%s Account=%s UserName=%s Partition=%s Priority=%s ID=%d"
            .formatted(
                report.cluster(),
                a.account(),
                a.isUser() ? a.user() + "(" + uid(a.user()) + ")" : "",
                a.partition(),
                priority,
                a.id()));
    lines.add(
        "SharesRaw/Norm/Level/Factor=%d/%s/%d/%s"
            .formatted(
                a.shares(),
                two(isRoot ? 0 : report.normShares().getOrDefault(a.id(), 0.0)),
                level,
                two(a.isUser() ? usage.fairShare() : 0)));
    lines.add(
        "UsageRaw/Norm/Efctv=%s/%s/%s"
            .formatted(
                two(usage.raw()),
                two(isRoot || !isCalculated(usage) ? 1 : usage.normUsage()),
                two(isRoot ? 1 : usage.effectiveUsage())));
    lines.add(
        "ParentAccount=%s Lineage=%s DefAssoc=%s"
            .formatted(
                parent == null || a.isUser() ? "" : parent.account() + "(" + parent.id() + ")",
                lineage(report, a),
                isDefault ? "Yes" : "No"));
    lines.add(
        count("GrpJobs", limits.number(LimitKind.GRP_JOBS), held.running())
            + " "
            + count("GrpJobsAccrue", limits.number(LimitKind.GRP_JOBS_ACCRUE), held.accruing()));
    lines.add(
        count("GrpSubmitJobs", limits.number(LimitKind.GRP_SUBMIT), held.submitted())
            + " "
            + wall(limits, usage.wallSeconds()));
    groups(limits, held, usage.tres(), lines);
    lines.add(
        given("MaxJobs", limits.number(LimitKind.MAX_JOBS), held.running())
            + " "
            + given("MaxJobsAccrue", limits.number(LimitKind.MAX_JOBS_ACCRUE), held.accruing())
            + " "
            + given("MaxSubmitJobs", limits.number(LimitKind.MAX_SUBMIT), held.submitted())
            + " MaxWallPJ="
            + plain(limits.number(LimitKind.MAX_WALL)));
    lines.add(given("MaxTRESPJ", limits.tres(LimitKind.MAX_TRES)));
    lines.add(given("MaxTRESPN", limits.tres(LimitKind.MAX_TRES_PER_NODE)));
    lines.add(given("MaxTRESMinsPJ", limits.tres(LimitKind.MAX_TRES_MINS)));
    lines.add("MinPrioThresh=" + plain(limits.number(LimitKind.MIN_PRIO_THRESHOLD)));
    lines.add("Comment=" + (a.comment().isEmpty() ? "(null)" : a.comment()));
    return lines;
  }

  /** Before the first calculation Slurm says that all is used. */
  private static boolean isCalculated(AssociationUsage usage) {
    return usage.effectiveUsage() > 0 || usage.levelFs() != 0 || usage.fairShare() != 0;
  }

  /** The accounts from the top, and the user with a mark of its own. */
  private static String lineage(AccountingReport report, Association a) {
    StringBuilder path = new StringBuilder("/");
    List<Association> up = report.accounting().upwards(a).reversed();
    for (Association each : up) {
      if (each.parent() != 0 && !each.isUser()) {
        path.append(each.account()).append('/');
      }
    }
    if (a.isUser()) {
      path.append("0-").append(a.user()).append('/');
    }
    return path.toString();
  }

  private void groups(Limits limits, Held held, Map<String, Double> seconds, List<String> lines) {
    Map<String, Long> minutes = new TreeMap<>();
    seconds.forEach((name, amount) -> minutes.put(name, (long) (amount / 60)));
    lines.add(used("GrpTRES", limits.tres(LimitKind.GRP_TRES), held.tres()));
    lines.add(used("GrpTRESMins", limits.tres(LimitKind.GRP_TRES_MINS), minutes));
    lines.add(used("GrpTRESRunMins", limits.tres(LimitKind.GRP_TRES_RUN_MINS), held.minutes()));
  }

  private void qos(AccountingReport report, ClusterView view) {
    List<Qos> shown =
        report.accounting().qos().values().stream()
            .filter(q -> qos.isEmpty() || qos.contains(q.name()))
            .sorted(Comparator.comparingInt(Qos::id))
            .toList();
    head(shown.isEmpty() ? "No QOS currently cached in Slurm." : "QOS Records");
    for (Qos q : shown) {
      Predicate<Job> own = job -> job.owner().qos().equals(q.name());
      Held held = held(view, own);
      QosUsage usage = report.qosUsage().get(q.name());
      Limits limits = q.limits();
      List<String> lines = new ArrayList<>();
      lines.add("QOS=" + q.name() + "(" + q.id() + ")");
      lines.add(String.format(Locale.ROOT, "UsageRaw=%.6f", usage == null ? 0.0 : usage.raw()));
      lines.add(
          count("GrpJobs", limits.number(LimitKind.GRP_JOBS), held.running())
              + " "
              + count("GrpJobsAccrue", limits.number(LimitKind.GRP_JOBS_ACCRUE), held.accruing())
              + " "
              + count("GrpSubmitJobs", limits.number(LimitKind.GRP_SUBMIT), held.submitted())
              + " "
              + wall(limits, usage == null ? 0 : usage.wallSeconds()));
      groups(limits, held, usage == null ? Map.of() : usage.tres(), lines);
      lines.add("MaxWallPJ=" + plain(limits.number(LimitKind.MAX_WALL)));
      lines.add(given("MaxTRESPJ", limits.tres(LimitKind.MAX_TRES)));
      lines.add(given("MaxTRESPN", limits.tres(LimitKind.MAX_TRES_PER_NODE)));
      lines.add(given("MaxTRESMinsPJ", limits.tres(LimitKind.MAX_TRES_MINS)));
      lines.add("MinPrioThresh=" + plain(limits.number(LimitKind.MIN_PRIO_THRESHOLD)) + " ");
      lines.add(given("MinTRESPJ", limits.tres(LimitKind.MIN_TRES)));
      String mode = q.preemptMode().toUpperCase(Locale.ROOT);
      lines.add("PreemptMode=" + (mode.isEmpty() || mode.equals("CLUSTER") ? "OFF" : mode));
      lines.add("Priority=" + q.priority());
      lines.add(perAccount(view, own, limits));
      lines.add(perUser(view, own, limits));
      print(lines);
    }
  }

  private String perAccount(ClusterView view, Predicate<Job> own, Limits limits) {
    Map<String, Predicate<Job>> groups = new LinkedHashMap<>();
    live(view)
        .filter(own)
        .map(job -> job.owner().account())
        .forEach(name -> groups.put(name, own.and(j -> j.owner().account().equals(name))));
    return perGroup(view, "Account", groups, Shares.ACCOUNT, limits);
  }

  private String perUser(ClusterView view, Predicate<Job> own, Limits limits) {
    Map<String, Predicate<Job>> groups = new LinkedHashMap<>();
    live(view)
        .filter(own)
        .map(Job::owner)
        .forEach(
            owner ->
                groups.put(
                    owner.user() + "(" + owner.uid() + ")",
                    own.and(j -> j.owner().user().equals(owner.user()))));
    return perGroup(view, "User", groups, Shares.USER, limits);
  }

  /** The limits of a QOS that hold for each of its accounts, or for each of its users. */
  private enum Shares {
    ACCOUNT(
        "PA",
        LimitKind.MAX_JOBS_PER_ACCOUNT,
        LimitKind.MAX_JOBS_ACCRUE_PER_ACCOUNT,
        LimitKind.MAX_SUBMIT_PER_ACCOUNT,
        LimitKind.MAX_TRES_PER_ACCOUNT,
        LimitKind.MAX_TRES_RUN_MINS_PER_ACCOUNT),
    USER(
        "PU",
        LimitKind.MAX_JOBS_PER_USER,
        LimitKind.MAX_JOBS_ACCRUE_PER_USER,
        LimitKind.MAX_SUBMIT_PER_USER,
        LimitKind.MAX_TRES_PER_USER,
        LimitKind.MAX_TRES_RUN_MINS_PER_USER);

    private final String suffix;
    private final LimitKind jobs;
    private final LimitKind accrue;
    private final LimitKind submit;
    private final LimitKind tres;
    private final LimitKind minutes;

    Shares(
        String suffix,
        LimitKind jobs,
        LimitKind accrue,
        LimitKind submit,
        LimitKind tres,
        LimitKind minutes) {
      this.suffix = suffix;
      this.jobs = jobs;
      this.accrue = accrue;
      this.submit = submit;
      this.tres = tres;
      this.minutes = minutes;
    }
  }

  private String perGroup(
      ClusterView view,
      String title,
      Map<String, Predicate<Job>> groups,
      Shares shares,
      Limits limits) {
    String of = shares.suffix;
    StringBuilder out = new StringBuilder(title + " Limits" + (oneLine ? "=" : ""));
    groups.forEach(
        (name, jobs) -> {
          Held held = held(view, jobs);
          part(
              out,
              name,
              String.join(
                  " ",
                  count("MaxJobs" + of, limits.number(shares.jobs), held.running()),
                  count("MaxJobsAccrue" + of, limits.number(shares.accrue), held.accruing()),
                  count("MaxSubmitJobs" + of, limits.number(shares.submit), held.submitted())),
              used("MaxTRES" + of, limits.tres(shares.tres), held.tres()),
              used("MaxTRESRunMins" + of, limits.tres(shares.minutes), held.minutes()));
        });
    return groups.isEmpty()
        ? out + (oneLine ? "" : "\n        ") + "No " + title + "s"
        : out.toString();
  }

  private void part(StringBuilder out, String name, String... lines) {
    String between = oneLine ? " " : "\n        ";
    out.append(oneLine ? " " + name + "={" : "\n      " + name + between)
        .append(String.join(between, lines))
        .append(oneLine ? "}" : "");
  }

  private static Stream<Job> live(ClusterView view) {
    return view.jobs().values().stream().filter(job -> !job.state().isFinished());
  }

  /** Nodes that several jobs share count once. */
  private static Held held(ClusterView view, Predicate<Job> which) {
    int running = 0;
    int accruing = 0;
    int submitted = 0;
    Map<String, Long> tres = new TreeMap<>();
    Map<String, Long> seconds = new TreeMap<>();
    Set<String> nodes = new HashSet<>();
    for (Job job : live(view).filter(which).toList()) {
      submitted += job.taskCount();
      Allocation allocation = job.allocation();
      if (!job.holdsResources() || allocation == null) {
        accruing += job.accrues() == null ? 0 : job.taskCount();
        continue;
      }
      running++;
      allocation.shares().forEach(share -> nodes.add(share.node()));
      Instant end = job.ended();
      long left = end == null ? 0 : Math.max(0, Duration.between(view.time(), end).toSeconds());
      allocation
          .tres()
          .amounts()
          .forEach(
              (name, amount) -> {
                if (job.het() != null && name.equals(Tres.BILLING)) {
                  // Components of heterogeneous jobs are not charged in Slurm.
                  return;
                }
                tres.merge(name, amount, Long::sum);
                seconds.merge(name, amount * left, Long::sum);
              });
    }
    if (!nodes.isEmpty()) {
      tres.put(Tres.NODE, (long) nodes.size());
    }
    seconds.replaceAll((name, amount) -> amount / 60);
    return new Held(running, accruing, submitted, tres, seconds);
  }

  private void print(List<String> lines) {
    io.out().println(String.join(oneLine ? " " : "\n" + INDENT, lines));
  }

  private static String two(double number) {
    return String.format(Locale.ROOT, "%.2f", number);
  }

  private static String plain(@Nullable Long limit) {
    return limit == null ? "" : limit.toString();
  }

  private static String count(String name, @Nullable Long limit, int used) {
    return name + "=" + (limit == null ? "N" : limit.toString()) + "(" + used + ")";
  }

  /** Only what is set. */
  private static String given(String name, @Nullable Long limit, int used) {
    return name + "=" + (limit == null ? "" : limit + "(" + used + ")");
  }

  private String given(String name, Map<String, Long> limits) {
    List<String> items = new ArrayList<>();
    for (String each : tres) {
      if (limits.containsKey(each)) {
        items.add(each + "=" + limits.get(each));
      }
    }
    return name + "=" + String.join(",", items);
  }

  private static String wall(Limits limits, double seconds) {
    Long limit = limits.number(LimitKind.GRP_WALL);
    return "GrpWall=" + (limit == null ? "N" : limit.toString()) + "(" + two(seconds / 60) + ")";
  }

  private String used(String name, Map<String, Long> limits, Map<String, Long> used) {
    List<String> items = new ArrayList<>();
    for (String each : tres) {
      Long limit = limits.get(each);
      items.add(
          each
              + "="
              + (limit == null ? "N" : limit.toString())
              + "("
              + used.getOrDefault(each, 0L)
              + ")");
    }
    return name + "=" + String.join(",", items);
  }
}
