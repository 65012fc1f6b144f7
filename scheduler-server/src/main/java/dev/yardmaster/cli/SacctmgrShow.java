package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.Account;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.text.AccountingNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code sacctmgr show}: the tables. */
final class SacctmgrShow {
  private static final String ENTITIES =
      "Input line must include \"Account\", \"Association\", \"Cluster\", \"Configuration\",\n"
          + "\"Event\", \"Federation\", \"Problem\", \"QOS\", \"Resource\", \"Reservation\",\n"
          + "\"RunAwayJobs\", \"Stats\", \"Transaction\", \"TRES\", \"User\", or \"WCKey\"";

  private static final String ASSOCIATION_FORMAT =
      "Cluster,Account,User,Partition,Share,Priority,GrpJobs,GrpTRES,GrpSubmit,GrpWall,"
          + "GrpTRESMins,MaxJobs,MaxTRES,MaxTRESPerNode,MaxSubmit,MaxWall,MaxTRESMins,QOS,"
          + "DefaultQOS,GrpTRESRunMins";
  private static final String OF_ASSOCIATION =
      ",Cluster,ParentName,Share,Priority,GrpJobs,GrpTRES,GrpSubmit,GrpWall,GrpTRESMins,MaxJobs,"
          + "MaxTRES,MaxTRESPerNode,MaxSubmit,MaxWall,MaxTRESMins,QOS,DefaultQOS";
  private static final String QOS_FORMAT =
      "Name,Priority,GraceTime,Preempt,PreemptExemptTime,PreemptMode,Flags%40,UsageThreshold,"
          + "UsageFactor,GrpTRES,GrpTRESMins,GrpTRESRunMins,GrpJobs,GrpSubmit,GrpWall,MaxTRES,"
          + "MaxTRESPerNode,MaxTRESMins,MaxWall,MaxTRESPerUser,MaxJobsPerUser,"
          + "MaxSubmitJobsPerUser,MaxTRESPerAccount,MaxTRESRunMinsPerAccount%22,"
          + "MaxTRESRunMinsPerUser%22,MaxJobsPerAccount,MaxSubmitJobsPerAccount,MinTRES";
  private static final String CLUSTER_FORMAT =
      "Cluster,ControlHost,ControlPort,RPC,Share,GrpJobs,GrpTRES,GrpSubmit,MaxJobs,MaxTRES,"
          + "MaxSubmit,MaxWall,QOS,DefaultQOS";

  /** The conditions that each entity knows, of which the first letters will do. */
  private static final List<String> OF_ASSOCIATIONS =
      List.of(
          "accounts",
          "acct",
          "associations",
          "clusters",
          "defaultqos",
          "ids",
          "parent",
          "partitions",
          "qoslevel",
          "users",
          "onlydefaults",
          "tree",
          "withdeleted",
          "withsubaccounts",
          "wolimits",
          "wopinfo",
          "woplimits");

  private static final List<String> OF_ACCOUNTS =
      Stream.concat(
              OF_ASSOCIATIONS.stream(),
              Stream.of("names", "description", "organization", "withassoc", "withcoordinators"))
          .toList();

  private static final List<String> OF_USERS =
      Stream.concat(
              OF_ASSOCIATIONS.stream(),
              Stream.of(
                  "names",
                  "adminlevel",
                  "defaultaccount",
                  "defaultwckey",
                  "withassoc",
                  "withcoordinators",
                  "wckeys"))
          .toList();

  private static final List<String> OF_QOS =
      List.of("names", "qoslevel", "ids", "descriptions", "preemptmode", "withdeleted");
  private static final List<String> OF_CLUSTERS =
      List.of("names", "clusters", "classification", "federation", "flags", "withdeleted");
  private static final List<String> OF_TRES =
      List.of("names", "types", "ids", "clusters", "withdeleted");

  private final SchedulerClient client;
  private final GetOpt.Parsed parsed;
  private final Io io;
  private final SacctmgrKept kept;
  private final List<String> names = new ArrayList<>();
  private final Map<String, List<String>> conditions = new LinkedHashMap<>();
  private final List<String> words = new ArrayList<>();
  private String format = "";

  SacctmgrShow(SchedulerClient client, GetOpt.Parsed parsed, Io io) {
    this.client = client;
    this.parsed = parsed;
    this.io = io;
    this.kept = new SacctmgrKept(client, io);
  }

  int run() throws ClientException, CommandFailure {
    List<String> operands = parsed.operands();
    String entity = operands.size() < 2 ? "" : operands.get(1).toLowerCase(Locale.ROOT);
    operands.stream().skip(2).forEach(this::condition);
    switch (entity) {
      case "account", "accounts", "acct" -> {
        know(OF_ACCOUNTS, " Use keyword 'set' to modify value");
        accounts();
      }
      case "user", "users" -> {
        know(OF_USERS, " Use keyword 'set' to modify value");
        users();
      }
      case "association", "associations", "assoc", "assocs", "associat" -> {
        know(OF_ASSOCIATIONS, null);
        associations();
      }
      case "qos" -> {
        know(OF_QOS, " Use keyword 'set' to modify SLURM_PRINT_VALUE");
        qos();
      }
      case "cluster", "clusters" -> {
        know(OF_CLUSTERS, " Use keyword 'set' to modify value");
        clusters();
      }
      case "tres" -> {
        know(OF_TRES, " Use keyword 'set' to modify value");
        tres();
      }
      case "wckey", "wckeys" -> wckeys();
      case "problem", "problems" -> {
        AbsentTables table = Objects.requireNonNull(AbsentTables.of("problem"));
        know(table.conditions(), table.advice());
        print(SacctmgrKept.problemColumns(), table.standard(), kept.problems());
      }
      case "reservation", "reservations", "resv" -> reservations();
      case "stats", "stat" -> kept.stats();
      case "configuration", "config", "conf", "configurations" -> kept.config();
      case "runawayjobs", "runaway", "orphan" -> {
        return runaways();
      }
      default -> {
        AbsentTables table = AbsentTables.of(entity);
        if (table == null) {
          throw new CommandFailure(1, "No valid entity in list command\n" + ENTITIES);
        }
        know(table.conditions(), table.advice());
        absent(table, entity);
      }
    }
    return 0;
  }

  private void condition(String word) {
    int equals = word.indexOf('=');
    String name = equals < 0 ? "" : word.substring(0, equals).toLowerCase(Locale.ROOT);
    if (equals < 0) {
      String lower = word.toLowerCase(Locale.ROOT);
      boolean option =
          lower.matches("where|set|tree|with\\w+|wop\\w+|onlydefaults") || lower.isEmpty();
      if (option) {
        words.add(lower);
      } else {
        names.addAll(Formats.list(word));
      }
    } else if (name.startsWith("format")) {
      format = word.substring(equals + 1);
    } else {
      conditions.put(name, Formats.list(word.substring(equals + 1)));
    }
  }

  /** Whether a value passes the condition of a name, which may be in the plural. */
  private boolean passes(String name, String value) {
    for (Map.Entry<String, List<String>> condition : conditions.entrySet()) {
      String key = condition.getKey();
      boolean meant = key.length() >= 3 && (name + "s").startsWith(key);
      if (meant && !AccountingNames.has(condition.getValue(), value)) {
        return false;
      }
    }
    return true;
  }

  private boolean named(String value) {
    return names.isEmpty() || AccountingNames.has(names, value);
  }

  private <R> void print(List<PrintFields.Field<R>> fields, String standard, List<R> rows)
      throws CommandFailure {
    PrintFields<R> table =
        new PrintFields<>(fields, format.isEmpty() ? standard : format, Sshare.style(parsed));
    if (!parsed.has("noheader")) {
      table.header().forEach(io.out()::println);
    }
    rows.forEach(row -> io.out().println(table.line(row)));
  }

  /** Writes what is shown as data. */
  @FunctionalInterface
  private interface Data {
    void write(SacctmgrJson json, DataDocument to) throws IOException;
  }

  private void data(AccountingReport report, Data data) throws ClientException {
    SacctmgrJson json = new SacctmgrJson(report, Sshare.trackedTres(client.info()));
    DataDocument.print(
        parsed.has("yaml"),
        DataDocument.command("sacctmgr", parsed),
        report.cluster(),
        io,
        to -> data.write(json, to));
  }

  private boolean withAssociations() {
    return parsed.has("associations") || words.stream().anyMatch(w -> w.startsWith("withassoc"));
  }

  private void accounts() throws ClientException, CommandFailure {
    AccountingReport report = client.accounting();
    List<AssociationColumns.Row> rows = new ArrayList<>();
    for (Account account : report.accounting().accounts().values()) {
      if (!named(account.name())
          || !passes("account", account.name())
          || !passes("organization", account.organization())) {
        continue;
      }
      if (withAssociations()) {
        for (Association a : report.accounting().inTreeOrder()) {
          if (a.account().equals(account.name())) {
            rows.add(new AssociationColumns.Row(a, account, null, 0));
          }
        }
      } else {
        rows.add(
            new AssociationColumns.Row(
                report.accounting().ofAccount(account.name()), account, null, 0));
      }
    }
    if (DataDocument.isAsked(parsed)) {
      List<Account> shown =
          rows.stream().map(row -> Objects.requireNonNull(row.account())).distinct().toList();
      data(report, (json, to) -> json.accounts(to, shown, withAssociations()));
      return;
    }
    String standard = "Account,Description,Organization";
    String full = standard + OF_ASSOCIATION.replace("ParentName", "ParentName,User");
    print(new AssociationColumns(report).all(), withAssociations() ? full : standard, rows);
  }

  private void users() throws ClientException, CommandFailure {
    AccountingReport report = client.accounting();
    List<AssociationColumns.Row> rows = new ArrayList<>();
    for (AccountUser user : report.accounting().users().values()) {
      if (!named(user.name())
          || !passes("user", user.name())
          || !passes("defaultaccount", user.defaultAccount())) {
        continue;
      }
      if (withAssociations()) {
        for (Association a : report.accounting().inTreeOrder()) {
          if (a.user().equals(user.name()) && passes("account", a.account())) {
            rows.add(new AssociationColumns.Row(a, null, user, 0));
          }
        }
      } else {
        rows.add(new AssociationColumns.Row(null, null, user, 0));
      }
    }
    if (DataDocument.isAsked(parsed)) {
      List<AccountUser> shown =
          rows.stream().map(row -> Objects.requireNonNull(row.user())).distinct().toList();
      data(report, (json, to) -> json.users(to, shown, withAssociations()));
      return;
    }
    String standard =
        Set.of("yes", "true", "1")
                .contains(client.config().getOrDefault("TrackWCKey", "no").toLowerCase(Locale.ROOT))
            ? "User,DefaultAccount,DefaultWCKey,AdminLevel"
            : "User,DefaultAccount,AdminLevel";
    String full = standard + OF_ASSOCIATION.replace("ParentName", "Account,Partition");
    print(new AssociationColumns(report).all(), withAssociations() ? full : standard, rows);
  }

  private void associations() throws ClientException, CommandFailure {
    AccountingReport report = client.accounting();
    List<AssociationColumns.Row> rows = new ArrayList<>();
    for (Association a : report.accounting().inTreeOrder()) {
      boolean wanted =
          passes("account", a.account())
              && passes("user", a.user())
              && passes("cluster", report.cluster())
              && passes("partition", a.partition())
              && passes("id", Integer.toString(a.id()));
      if (wanted) {
        int depth = words.contains("tree") ? report.accounting().upwards(a).size() - 1 : 0;
        rows.add(
            new AssociationColumns.Row(
                a,
                report.accounting().accounts().get(a.account()),
                report.accounting().users().get(a.user()),
                depth));
      }
    }
    if (DataDocument.isAsked(parsed)) {
      List<Association> shown =
          rows.stream().map(row -> Objects.requireNonNull(row.association())).toList();
      data(report, (json, to) -> json.associations(to, shown));
      return;
    }
    print(new AssociationColumns(report).all(), ASSOCIATION_FORMAT, rows);
  }

  private void qos() throws ClientException, CommandFailure {
    List<Qos> rows =
        client.accounting().accounting().qos().values().stream()
            .filter(q -> named(q.name()) && passes("name", q.name()) && passes("qos", q.name()))
            .sorted(Comparator.comparingInt(Qos::id))
            .toList();
    if (DataDocument.isAsked(parsed)) {
      data(client.accounting(), (json, to) -> json.qos(to, rows));
      return;
    }
    print(QosColumns.all(), QOS_FORMAT, rows);
  }

  private void clusters() throws ClientException, CommandFailure {
    AccountingReport report = client.accounting();
    Association root = report.accounting().ofAccount(Account.ROOT);
    List<PrintFields.Field<AssociationColumns.Row>> fields =
        new ArrayList<>(new AssociationColumns(report).all());
    Map<String, String> config = client.config();
    String host = client.info().host();
    String port = config.getOrDefault("SlurmctldPort", "6817");
    fields.add(new PrintFields.Field<>("ControlHost", "ControlHost", 15, r -> host));
    fields.add(new PrintFields.Field<>("ControlPort", "ControlPort", 12, r -> port));
    fields.add(new PrintFields.Field<>("RPC", "RPC", 5, r -> "11008"));
    boolean wanted = named(report.cluster()) && passes("cluster", report.cluster());
    print(
        fields,
        CLUSTER_FORMAT,
        wanted ? List.of(new AssociationColumns.Row(root, null, null, 0)) : List.of());
  }

  private void know(List<String> known, @Nullable String advice) throws CommandFailure {
    List<String> lines = new ArrayList<>();
    for (Map.Entry<String, List<String>> condition : conditions.entrySet()) {
      if (known.stream().noneMatch(k -> k.startsWith(condition.getKey()))) {
        lines.add(
            " Unknown condition: "
                + condition.getKey()
                + "="
                + String.join(",", condition.getValue()));
        if (advice != null) {
          lines.add(advice);
        }
      }
    }
    if (!lines.isEmpty()) {
      throw new CommandFailure(1, lines);
    }
  }

  /** Those that the controller knows; what was in the past is not kept. */
  private void reservations() throws ClientException, CommandFailure {
    AbsentTables table = Objects.requireNonNull(AbsentTables.of("reservation"));
    know(table.conditions(), table.advice());
    print(
        kept.reservationColumns(),
        table.standard(),
        kept.reservations().stream()
            .filter(r -> named(r.name()) && passes("name", r.name()))
            .filter(r -> passes("id", Integer.toString(r.id())))
            .toList());
  }

  private record WckeyRow(String key, String user) {}

  private void wckeys() throws ClientException, CommandFailure {
    for (String name : conditions.keySet()) {
      if (Stream.of("wckeys", "names", "users", "clusters")
          .noneMatch(known -> known.startsWith(name))) {
        throw new CommandFailure(
            1, " Unknown condition: " + name + "=" + String.join(",", conditions.get(name)));
      }
    }
    AccountingReport report = client.accounting();
    List<WckeyRow> rows = new ArrayList<>();
    for (AccountUser user : report.accounting().users().values()) {
      for (String key : user.wckeys()) {
        boolean wanted =
            named(key)
                && passes("wckey", key)
                && passes("name", key)
                && passes("user", user.name())
                && passes("cluster", report.cluster());
        if (wanted) {
          rows.add(new WckeyRow(key, user.name()));
        }
      }
    }
    rows.sort(Comparator.comparing(WckeyRow::key).thenComparing(WckeyRow::user));
    print(
        List.of(
            new PrintFields.Field<WckeyRow>("WCKeys", "WCKey", 10, WckeyRow::key),
            new PrintFields.Field<WckeyRow>("Names", "WCKey", 10, WckeyRow::key),
            new PrintFields.Field<WckeyRow>("Clusters", "Cluster", 10, r -> report.cluster()),
            new PrintFields.Field<WckeyRow>("Users", "User", 10, WckeyRow::user)),
        "Names,Clusters,Users",
        rows);
  }

  private record TresRow(int id, String type, String name) {}

  private void tres() throws ClientException, CommandFailure {
    if (DataDocument.isAsked(parsed)) {
      data(client.accounting(), (json, to) -> json.tres(to));
      return;
    }
    List<TresRow> rows = new ArrayList<>();
    int id = 1;
    for (String tres : Sshare.trackedTres(client.info())) {
      int slash = tres.indexOf('/');
      rows.add(
          new TresRow(
              id,
              slash < 0 ? tres : tres.substring(0, slash),
              slash < 0 ? "" : tres.substring(slash + 1)));
      id = id == 8 ? 1001 : id + 1;
    }
    print(
        List.of(
            new PrintFields.Field<TresRow>("Type", "Type", 8, TresRow::type),
            new PrintFields.Field<TresRow>("Name", "Name", 15, TresRow::name),
            new PrintFields.Field<TresRow>("ID", "ID", 6, r -> Integer.toString(r.id()))),
        "Type,Name,ID",
        rows);
  }

  /** What is not kept is refused rather than shown as if there were none. */
  private void absent(AbsentTables table, String entity) throws CommandFailure {
    if (!table.kept()) {
      String columns = format.isEmpty() ? table.standard() : format;
      new PrintFields<>(table.fields(), columns, Sshare.style(parsed));
      throw new CommandFailure(
          1, "sacctmgr: show " + entity + " is not available yet in this version of Yardmaster");
    }
    print(table.fields(), table.standard(), List.of());
  }

  /** The controller is the accounting: no job can be in the one that the other does not know. */
  private int runaways() throws ClientException {
    int exitCode = 0;
    for (String condition : conditions.keySet()) {
      if (!"clusters".startsWith(condition)) {
        io.err()
            .println(
                " Unknown condition: "
                    + condition
                    + "="
                    + String.join(",", conditions.getOrDefault(condition, List.of())));
        exitCode = 1;
      }
    }
    io.out().println("Runaway Jobs: No runaway jobs found on cluster " + client.info().cluster());
    return exitCode;
  }
}
