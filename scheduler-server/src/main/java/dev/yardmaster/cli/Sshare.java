package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.AssociationUsage;
import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Tres;
import dev.yardmaster.model.text.AccountingNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** sshare(1): shares and usage of accounts and users, and what fair share makes of them. */
final class Sshare implements Command {
  private static final List<String> TABLE =
      List.of(
          "a all",
          "A accounts:",
          "e helpformat",
          "help",
          "h no-header",
          "l long",
          "M clusters:",
          "m partition",
          "n noheader",
          "o format:",
          "p parsable",
          "P parsable2",
          "U Users",
          "u users:",
          "v verbose",
          "V version",
          "json::",
          "usage",
          "yaml::");

  private static final String SHORT =
      "Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare";
  private static final String LONG_TREE =
      "Account,User,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,LevelFS,"
          + "GrpTRESMins,TRESRunMins";
  private static final String LONG_CLASSIC =
      "Account,User,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,GrpTRESMins,"
          + "TRESRunMins";

  /** One association with how deep it is shown. */
  private record Row(Association association, int depth) {}

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed = new GetOpt("sshare", 1, false, TABLE).parse(arguments);
    if (Usage.answers(
        parsed,
        """
        Usage: sshare [OPTION...]
        Lists the shares of accounts and users, and what they have used of them.
        """,
        "sshare(1)",
        TABLE,
        null,
        io)) {
      return 0;
    }
    DataDocument.check("sshare", parsed, 1, io);
    try (SchedulerClient client = Session.open("sshare", io)) {
      AccountingReport report = client.accounting();
      Map<String, String> config = client.config();
      String flags = config.getOrDefault("PriorityFlags", "").toUpperCase(Locale.ROOT);
      boolean tree = !flags.contains("NO_FAIR_TREE") && !flags.contains("DEPTH_OBLIVIOUS");
      List<PrintFields.Field<Row>> fields = fields(report, trackedTres(client.info()), tree);
      if (DataDocument.isAsked(parsed)) {
        SshareJson data = new SshareJson(report, trackedTres(client.info()), tree);
        List<Association> shown = rows(report, parsed, io).stream().map(Row::association).toList();
        DataDocument.print(
            parsed.has("yaml"),
            DataDocument.command("sshare", parsed),
            report.cluster(),
            io,
            to -> data.write(to, shown));
        return 0;
      }
      if (parsed.has("helpformat")) {
        io.out().println(names(fields));
        return 0;
      }
      PrintFields<Row> table = table(fields, format(parsed, tree), parsed);
      if (!parsed.has("noheader") && !parsed.has("no-header")) {
        table.header().forEach(io.out()::println);
      }
      rows(report, parsed, io).forEach(row -> io.out().println(table.line(row)));
      return 0;
    } catch (ClientException e) {
      throw new CommandFailure(1, "sshare: error: " + Session.words(e));
    }
  }

  static PrintFields.Style style(GetOpt.Parsed parsed) {
    return parsed.has("parsable2")
        ? PrintFields.Style.BARS_BETWEEN
        : parsed.has("parsable") ? PrintFields.Style.BARS : PrintFields.Style.COLUMNS;
  }

  private static String names(List<PrintFields.Field<Row>> fields) {
    return String.join(" ", fields.stream().map(PrintFields.Field::option).toList());
  }

  private static String format(GetOpt.Parsed parsed, boolean tree) {
    String given = parsed.last("format");
    if (given != null) {
      return given;
    }
    String standard = parsed.has("long") ? (tree ? LONG_TREE : LONG_CLASSIC) : SHORT;
    return parsed.has("partition") ? standard.replace("User,", "User,Partition,") : standard;
  }

  /** Every TRES that is tracked, in Slurm's order. */
  static List<String> trackedTres(ClusterInfo info) {
    List<String> all =
        new ArrayList<>(
            List.of("cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages"));
    info.trackedTres().stream().sorted().filter(t -> !all.contains(t)).forEach(all::add);
    if (all.contains(Tres.GPU)) {
      // What Slurm could measure of GPUs that are tracked.
      all.addAll(List.of("gres/gpumem", "gres/gpuutil"));
    }
    return all;
  }

  private static List<PrintFields.Field<Row>> fields(
      AccountingReport report, List<String> tres, boolean tree) {
    return List.of(
        new PrintFields.Field<>(
            "Account", "Account", -20, r -> " ".repeat(r.depth()) + r.association().account()),
        new PrintFields.Field<>("Cluster", "Cluster", 10, r -> report.cluster()),
        usage("EffectvUsage", 13, report, AssociationUsage::effectiveUsage),
        new PrintFields.Field<>(
            "FairShare",
            "FairShare",
            10,
            r ->
                r.association().isUser() ? fixed(report.usageOf(r.association()).fairShare()) : ""),
        new PrintFields.Field<>(
            "GrpTRESMins",
            "GrpTRESMins",
            30,
            r -> Sacctmgr.tres(r.association().limits().tres(LimitKind.GRP_TRES_MINS))),
        new PrintFields.Field<>(
            "GrpTRESRaw", "GrpTRESRaw", 30, r -> used(report.usageOf(r.association()), tres)),
        new PrintFields.Field<>("ID", "ID", 6, r -> Integer.toString(r.association().id())),
        new PrintFields.Field<>(
            "LevelFS", "LevelFS", 10, r -> levelFs(report.usageOf(r.association()), r, tree)),
        new PrintFields.Field<>(
            "NormShares",
            "NormShares",
            11,
            r ->
                fixed(
                    r.association().parent() == 0
                        ? (tree ? 0 : 1)
                        : report.normShares().getOrDefault(r.association().id(), 0.0))),
        new PrintFields.Field<>(
            "NormUsage", "NormUsage", 11, r -> normUsage(report.usageOf(r.association()), r)),
        new PrintFields.Field<>("Partition", "Partition", 12, r -> r.association().partition()),
        new PrintFields.Field<>("RawShares", "RawShares", 10, Sshare::rawShares),
        new PrintFields.Field<>(
            "RawUsage",
            "RawUsage",
            11,
            r -> Long.toString((long) report.usageOf(r.association()).raw())),
        new PrintFields.Field<>(
            "TRESRunMins",
            "TRESRunMins",
            30,
            r -> amounts(report.runMinutes().get(r.association().id()), tres)),
        new PrintFields.Field<>("User", "User", 10, r -> r.association().user()));
  }

  private static PrintFields.Field<Row> usage(
      String name, int width, AccountingReport report, ToDoubleFunction<AssociationUsage> value) {
    return new PrintFields.Field<>(
        name, name, width, r -> fixed(value.applyAsDouble(report.usageOf(r.association()))));
  }

  private static String rawShares(Row row) {
    Association a = row.association();
    return a.parent() == 0 ? "" : a.sharesParent() ? "parent" : Integer.toString(a.shares());
  }

  private static String levelFs(AssociationUsage usage, Row row, boolean tree) {
    Association a = row.association();
    if (a.sharesParent() || tree && a.parent() == 0) {
      return "";
    }
    return Double.isInfinite(usage.levelFs()) ? "inf" : fixed(usage.levelFs());
  }

  /** Empty until it was calculated for the first time. */
  private static String normUsage(AssociationUsage usage, Row row) {
    boolean calculated =
        usage.effectiveUsage() > 0 || usage.levelFs() != 0 || usage.fairShare() > 0;
    return row.association().parent() == 0 || !calculated ? "" : fixed(usage.normUsage());
  }

  private static String fixed(double value) {
    return String.format(Locale.ROOT, "%.6f", value);
  }

  private static String used(AssociationUsage usage, List<String> tres) {
    List<String> items = new ArrayList<>();
    for (String name : tres) {
      items.add(name + "=" + (long) (usage.tres().getOrDefault(name, 0.0) / 60));
    }
    return String.join(",", items);
  }

  private static String amounts(@Nullable Map<String, Long> amounts, List<String> tres) {
    List<String> items = new ArrayList<>();
    for (String name : tres) {
      items.add(name + "=" + (amounts == null ? 0L : amounts.getOrDefault(name, 0L)));
    }
    return String.join(",", items);
  }

  private static PrintFields<Row> table(
      List<PrintFields.Field<Row>> fields, String format, GetOpt.Parsed parsed)
      throws CommandFailure {
    try {
      return new PrintFields<>(fields, format, style(parsed));
    } catch (CommandFailure e) {
      String unknown = e.lines().getFirst().replaceFirst("Unknown field '(.*)'", "$1");
      throw new CommandFailure(1, "sshare: error: Invalid field requested: \"" + unknown + "\"");
    }
  }

  private static List<Row> rows(AccountingReport report, GetOpt.Parsed parsed, Io io)
      throws CommandFailure {
    String accounts = parsed.last("accounts");
    String users = parsed.last("users");
    List<String> wantedUsers =
        parsed.has("all") ? null : users == null ? List.of(Session.me(io)) : Formats.list(users);
    List<String> wantedAccounts = accounts == null ? null : Formats.list(accounts);
    List<Row> rows = new ArrayList<>();
    int least = Integer.MAX_VALUE;
    for (Association a : report.accounting().inTreeOrder()) {
      boolean account = wantedAccounts == null || AccountingNames.has(wantedAccounts, a.account());
      boolean user =
          a.isUser() ? wantedUsers == null || wantedUsers.contains(a.user()) : !parsed.has("Users");
      if (account && user) {
        int depth = report.accounting().upwards(a).size() - 1;
        least = Math.min(least, depth);
        rows.add(new Row(a, depth));
      }
    }
    int shift = wantedAccounts == null && !parsed.has("Users") ? 0 : least;
    boolean flat = parsed.has("Users");
    return rows.stream().map(r -> new Row(r.association(), flat ? 0 : r.depth() - shift)).toList();
  }
}
