package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.Tres;
import dev.yardmaster.model.UsageReport;
import dev.yardmaster.model.text.Instants;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** sreport(1): what a cluster and its users used in whole hours that are over. */
final class Sreport implements Command {
  private static final List<String> TABLE =
      List.of(
          "a all_clusters",
          "M cluster:",
          "federation",
          "h help",
          "i immediate",
          "local",
          "n noheader",
          "p parsable",
          "P parsable2",
          "Q quiet",
          "s sort:",
          "t time:",
          "T tres:",
          "usage",
          "v verbose",
          "V version");

  static final String LINE = "-".repeat(80);
  private static final int ACCOUNT_WIDTH = 15;
  private static final int TREE_WIDTH = -20;
  private static final int LEAST_WIDTH = 8;
  private static final long FIRST_ORDER = 100_000_000L;

  /** A row of a report: what of whom, of a TRES. */
  private record Row(
      String account,
      String login,
      String tres,
      UsageReport.@Nullable ClusterTime time,
      long used) {}

  private record Column(String name, String head, int width) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("Accounts", "Account", ACCOUNT_WIDTH),
          new Column("allocated", "Allocated", 0),
          new Column("Cluster", "Cluster", 9),
          new Column("down", "Down", 0),
          new Column("idle", "Idle", 0),
          new Column("Login", "Login", 9),
          new Column("overcommitted", "Over Comm", 0),
          new Column("planned", "Planned", 0),
          new Column("reserved", "Planned", 0),
          new Column("PlannedDown", "PLND Down", 0),
          new Column("PLNDDown", "PLND Down", 0),
          new Column("Proper", "Proper Name", 15),
          new Column("reported", "Reported", 0),
          new Column("TresCount", "TRES Count", 10),
          new Column("TresName", "TRES Name", 14),
          new Column("Used", "Used", 0),
          new Column("Energy", "Energy", 0));

  private final GetOpt parser = new GetOpt("sreport", 1, false, TABLE);

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed;
    try {
      parsed = parser.parse(arguments);
    } catch (CommandFailure e) {
      List<String> lines = new ArrayList<>(e.lines());
      lines.removeIf(line -> line.startsWith("Try "));
      lines.add("Try \"sreport --help\" for more information");
      throw new CommandFailure(1, lines);
    }
    if (parsed.has("version")) {
      io.out().println(SlurmVersion.line());
      return 0;
    }
    List<String> words = parsed.operands();
    if (parsed.has("help") || parsed.has("usage") || words.isEmpty() || is(words, 0, "help", 2)) {
      io.out()
          .println(
              Usage.of(
                  """
                  Usage: sreport [OPTION...] cluster Utilization|AccountUtilizationByUser|UserUtilizationByAccount
                         sreport [OPTION...] user TopUsage
                  with start=TIME end=TIME accounts=LIST users=LIST format=LIST
                  """,
                  "sreport(1)",
                  TABLE));
      return words.isEmpty() && !parsed.has("help") && !parsed.has("usage") ? 1 : 0;
    }
    String verb = words.getFirst().toLowerCase(Locale.ROOT);
    if (verb.equals("exit") || verb.equals("quit")) {
      return 0;
    }
    if (is(words, 0, "version", 4)) {
      io.out().println(SlurmVersion.line());
      return 0;
    }
    ReportTime time = ReportTime.of(parsed.last("time"));
    if (is(words, 0, "cluster", 2)) {
      return cluster(parsed, words, time, io);
    }
    if (is(words, 0, "user", 1)) {
      if (words.size() < 2) {
        throw few(words);
      }
      if (!words.get(1).toLowerCase(Locale.ROOT).startsWith("t")) {
        throw new CommandFailure(
            1, "Not valid report " + words.get(1), "Valid user reports are, \"Top\"");
      }
      report(Kind.TOP, parsed, words, time, io);
      return 0;
    }
    if (is(words, 0, "job", 1)) {
      if (words.size() < 2) {
        throw few(words);
      }
      new SreportSizes(parsed, time, io).run(words.subList(1, words.size()));
      return 0;
    }
    if (is(words, 0, "reservation", 2) || is(words, 0, "resv", 2)) {
      throw new CommandFailure(
          1, "sreport: " + words.getFirst() + ": not available yet in this version of Yardmaster");
    }
    throw new CommandFailure(1, "invalid keyword: " + words.getFirst());
  }

  private static boolean is(List<String> words, int at, String keyword, int least) {
    return words.size() > at && Scontrol.is(words.get(at), keyword, least);
  }

  private static CommandFailure few(List<String> words) {
    return new CommandFailure(1, "too few arguments for keyword:" + words.getFirst());
  }

  private enum Kind {
    CLUSTER("Cl,al,d,PLNDDown,i,res,rep", "Cl,TresName,al,d,PLNDDown,i,res,rep"),
    BY_ACCOUNT("Cluster,Ac,Login,Proper,Used,Energy", "Cluster,Ac,Login,Proper,TresName,Used"),
    BY_USER("Cluster,Login,Proper,Ac,Used,Energy", "Cluster,Login,Proper,Ac,TresName,Used"),
    TOP("Cluster,Login,Proper,Ac,Used,Energy", "Cluster,Login,Proper,Ac,TresName,Used");

    private final String plain;
    private final String withTres;

    Kind(String plain, String withTres) {
      this.plain = plain;
      this.withTres = withTres;
    }
  }

  private int cluster(GetOpt.Parsed parsed, List<String> words, ReportTime time, Io io)
      throws CommandFailure {
    if (words.size() < 2) {
      throw few(words);
    }
    String name = words.get(1).toLowerCase(Locale.ROOT);
    if (name.startsWith("accountutilizationbyu")) {
      report(Kind.BY_ACCOUNT, parsed, words, time, io);
    } else if (name.startsWith("userutilizationbya") || name.equals("ua")) {
      report(Kind.BY_USER, parsed, words, time, io);
    } else if (name.startsWith("ut")) {
      report(Kind.CLUSTER, parsed, words, time, io);
    } else if (name.startsWith("accountutilizationbyq")
        || name.equals("aq")
        || name.startsWith("userutilizationbyw")
        || name.equals("uw")
        || name.startsWith("w")) {
      throw new CommandFailure(
          1, "sreport: " + words.get(1) + ": not available yet in this version of Yardmaster");
    } else {
      throw new CommandFailure(
          1,
          "Not valid report " + words.get(1),
          "Valid cluster reports are, \"AccountUtilizationByUser\","
              + " \"AccountUtilizationByQOS\", \"UserUtilizationByAccount\","
              + " \"UserUtilizationByWckey\", \"Utilization\", and \"WCKeyUtilizationByUser\"");
    }
    return 0;
  }

  private void report(Kind kind, GetOpt.Parsed parsed, List<String> words, ReportTime time, Io io)
      throws CommandFailure {
    SreportTerms terms = SreportTerms.read(words.subList(2, words.size()), kind == Kind.TOP, io);
    boolean withTres = parsed.has("tres");
    String format =
        terms.format().isEmpty() ? withTres ? kind.withTres : kind.plain : terms.format();
    List<Column> columns = columns(format);
    try (SchedulerClient client = Session.open("sreport", io)) {
      ClusterInfo info = client.info();
      List<String> tres = tres(parsed.last("tres"), info);
      UsageReport report = client.usage(terms.start(), terms.end());
      List<Row> rows =
          switch (kind) {
            case CLUSTER -> cluster(report, tres);
            case BY_ACCOUNT -> byAccount(report, client.accounting(), terms, tres);
            case BY_USER -> byUser(report, terms, tres);
            case TOP -> top(report, terms, tres);
          };
      print(kind, parsed, terms, time, columns, rows, report, info.cluster(), io);
    } catch (ClientException e) {
      throw new CommandFailure(1, "sreport: error: " + Session.words(e));
    }
  }

  private static List<String> tres(@Nullable String given, ClusterInfo info) throws CommandFailure {
    if (given == null) {
      return List.of(Tres.CPU);
    }
    List<String> known = Sshare.trackedTres(info);
    List<String> chosen = new ArrayList<>();
    for (String name : Formats.list(given)) {
      if (name.equalsIgnoreCase("ALL")) {
        return known;
      }
      String lower = name.toLowerCase(Locale.ROOT);
      if (known.contains(lower)) {
        chosen.add(lower);
      }
    }
    if (chosen.isEmpty()) {
      throw new CommandFailure(1, "sreport: fatal: No valid TRES given");
    }
    return chosen;
  }

  private static List<Column> columns(String format) throws CommandFailure {
    List<Column> chosen = new ArrayList<>();
    for (String item : Formats.list(format)) {
      int percent = item.indexOf('%');
      String name = percent < 0 ? item : item.substring(0, percent);
      Column found =
          COLUMNS.stream()
              .filter(c -> c.name().regionMatches(true, 0, name, 0, name.length()))
              .findFirst()
              .orElseThrow(() -> new CommandFailure(1, " Unknown field '" + name + "'"));
      // Columns of usage are as wide as what is in them, whatever is asked for.
      boolean width =
          percent >= 0 && found.width() != 0 && item.substring(percent + 1).matches("-?[0-9]{1,5}");
      chosen.add(
          width
              ? new Column(
                  found.name(), found.head(), Integer.parseInt(item.substring(percent + 1)))
              : found);
    }
    return chosen;
  }

  private static List<Row> cluster(UsageReport report, List<String> tres) {
    List<Row> rows = new ArrayList<>();
    UsageReport.ClusterTime nothing = new UsageReport.ClusterTime(0, 0, 0, 0, 0);
    for (String name : report.cluster().isEmpty() ? List.<String>of() : tres) {
      if (!name.equals(Tres.NODE)) {
        rows.add(new Row("", "", name, report.cluster().getOrDefault(name, nothing), 0));
      }
    }
    return rows;
  }

  static boolean isWanted(List<String> wanted, String name) {
    return wanted.isEmpty() || wanted.stream().anyMatch(name::equalsIgnoreCase);
  }

  /** Accounts with what is used in and below them, each before its users and other accounts. */
  private static List<Row> byAccount(
      UsageReport report, AccountingReport accounting, SreportTerms terms, List<String> tres) {
    List<Row> rows = new ArrayList<>();
    for (Association a : accounting.accounting().inTreeOrder()) {
      boolean wanted =
          accounting.accounting().upwards(a).stream()
              .anyMatch(up -> isWanted(terms.accounts(), up.account()));
      if (!wanted || !a.partition().isEmpty()) {
        continue;
      }
      Map<String, Long> sum = new TreeMap<>();
      for (UsageReport.Used used : report.used()) {
        boolean own =
            a.isUser()
                ? used.account().equals(a.account()) && used.user().equals(a.user())
                : isBelow(accounting, used.account(), a.account());
        if (own && isWanted(terms.users(), used.user())) {
          used.seconds().forEach((name, seconds) -> sum.merge(name, seconds, Long::sum));
        }
      }
      for (String name : tres) {
        if (!sum.isEmpty()) {
          int depth = terms.tree() ? accounting.accounting().upwards(a).size() - 1 : 0;
          rows.add(
              new Row(
                  " ".repeat(depth) + a.account(),
                  a.user(),
                  name,
                  null,
                  sum.getOrDefault(name, 0L)));
        }
      }
    }
    return rows;
  }

  static boolean isBelow(AccountingReport accounting, String account, String above) {
    return accounting.accounting().associations().values().stream()
        .filter(a -> !a.isUser() && a.account().equals(account))
        .anyMatch(
            a ->
                accounting.accounting().upwards(a).stream()
                    .anyMatch(up -> up.account().equals(above)));
  }

  /** Who used most first. */
  private static List<Row> byUser(UsageReport report, SreportTerms terms, List<String> tres) {
    Map<String, Long> totals = new TreeMap<>();
    List<UsageReport.Used> meant = new ArrayList<>();
    for (UsageReport.Used used : report.used()) {
      if (isWanted(terms.users(), used.user()) && isWanted(terms.accounts(), used.account())) {
        meant.add(used);
        totals.merge(used.user(), used.seconds().getOrDefault(Tres.CPU, 0L), Long::sum);
      }
    }
    meant.sort(
        Comparator.comparing(
                (UsageReport.Used u) -> totals.getOrDefault(u.user(), 0L),
                Comparator.reverseOrder())
            .thenComparing(UsageReport.Used::user)
            .thenComparing(UsageReport.Used::account));
    List<Row> rows = new ArrayList<>();
    for (UsageReport.Used used : meant) {
      for (String name : tres) {
        long seconds = used.seconds().getOrDefault(name, 0L);
        rows.add(new Row(used.account(), used.user(), name, null, seconds));
      }
    }
    return rows;
  }

  /** The same, up to a number of users; their accounts together where that is asked for. */
  private static List<Row> top(UsageReport report, SreportTerms terms, List<String> tres) {
    List<Row> rows = new ArrayList<>();
    List<String> users = new ArrayList<>();
    for (Row row : byUser(report, terms, tres)) {
      if (!users.contains(row.login())) {
        if (terms.top() > 0 && users.size() >= terms.top()) {
          break;
        }
        users.add(row.login());
      }
      rows.add(row);
    }
    if (!terms.group()) {
      return rows;
    }
    List<Row> together = new ArrayList<>();
    for (String user : users) {
      for (String name : tres) {
        List<Row> own =
            rows.stream().filter(r -> r.login().equals(user) && r.tres().equals(name)).toList();
        together.add(
            new Row(
                String.join(",", own.stream().map(Row::account).toList()),
                user,
                name,
                null,
                own.stream().mapToLong(Row::used).sum()));
      }
    }
    return together;
  }

  private static void print(
      Kind kind,
      GetOpt.Parsed parsed,
      SreportTerms terms,
      ReportTime time,
      List<Column> columns,
      List<Row> rows,
      UsageReport report,
      String cluster,
      Io io) {
    if (!parsed.has("noheader")) {
      head(kind, parsed, terms, time, io);
    }
    List<PrintFields.Field<Row>> fields = new ArrayList<>();
    for (Column column : columns) {
      long most = rows.stream().mapToLong(r -> seconds(column.head(), r)).max().orElse(0);
      int width = column.width() == 0 ? width(most, time) : column.width();
      if (terms.tree() && column.head().equals("Account") && width == ACCOUNT_WIDTH) {
        width = TREE_WIDTH;
      }
      int shown = width;
      fields.add(
          new PrintFields.Field<>(
              column.name(),
              column.head(),
              shown,
              row -> text(column.head(), row, report, time, cluster, io)));
    }
    PrintFields<Row> table = PrintFields.of(fields, Sshare.style(parsed), "|");
    if (!parsed.has("noheader")) {
      table.header().forEach(io.out()::println);
    }
    rows.forEach(row -> io.out().println(table.line(row)));
  }

  private static void head(
      Kind kind, GetOpt.Parsed parsed, SreportTerms terms, ReportTime time, Io io) {
    String window =
        Instants.format(terms.start(), io.zone())
            + " - "
            + Instants.format(terms.end().minusSeconds(1), io.zone());
    long seconds = Duration.between(terms.start(), terms.end()).toSeconds();
    String title =
        switch (kind) {
          case CLUSTER -> "Cluster Utilization " + window;
          case BY_ACCOUNT ->
              "Cluster/Account/User Utilization " + window + " (" + seconds + " secs)";
          case BY_USER -> "Cluster/User/Account Utilization " + window + " (" + seconds + " secs)";
          case TOP ->
              (terms.top() > 0 ? "Top " + terms.top() : "Top ALL")
                  + " Users "
                  + window
                  + " ("
                  + seconds
                  + " secs)";
        };
    String what = parsed.has("tres") ? "TRES" : "CPU";
    io.out().println(LINE);
    io.out().println(title);
    io.out().println("Usage reported in " + (time.isPercent() ? "" : what + " ") + time.words());
    io.out().println(LINE);
  }

  /** Slurm's columns grow with the seconds in them. */
  private static int width(long most, ReportTime time) {
    int width = LEAST_WIDTH;
    for (long order = FIRST_ORDER; most >= order && order < Long.MAX_VALUE / 10; order *= 10) {
      width++;
    }
    return time.isBoth() ? width + 9 : width;
  }

  private static long seconds(String head, Row row) {
    UsageReport.ClusterTime t = row.time();
    if (t == null) {
      return head.equals("Used") ? row.used() : 0;
    }
    return switch (head) {
      case "Allocated" -> t.allocated();
      case "Down" -> t.down();
      case "Idle" -> t.idle();
      case "Planned" -> t.planned();
      case "Reported" -> t.reported();
      default -> 0;
    };
  }

  private static String text(
      String head, Row row, UsageReport report, ReportTime time, String cluster, Io io) {
    UsageReport.ClusterTime all =
        row.time() == null ? report.cluster().get(row.tres()) : row.time();
    long total = all == null ? 0 : all.reported();
    return switch (head) {
      case "Cluster" -> cluster;
      case "Account" -> row.account();
      case "Login" -> row.login();
      case "Proper Name" -> row.login().isEmpty() ? "" : io.machine().properName(row.login());
      case "TRES Name" -> row.tres();
      case "TRES Count" -> all == null ? "" : Long.toString(all.count());
      case "Reported" -> {
        long whole =
            all == null
                ? 0
                : all.count() * Duration.between(report.start(), report.end()).toSeconds();
        yield time.text(seconds(head, row), whole);
      }
      default -> time.text(seconds(head, row), total);
    };
  }
}
