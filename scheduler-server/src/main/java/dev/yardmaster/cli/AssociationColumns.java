package dev.yardmaster.cli;

import dev.yardmaster.model.Account;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.text.TimeLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The columns of accounts, users and associations that sacctmgr can show. */
final class AssociationColumns {
  private final AccountingReport report;

  AssociationColumns(AccountingReport report) {
    this.report = report;
  }

  /** What one line is about; what it is not about is null. */
  record Row(
      @Nullable Association association,
      @Nullable Account account,
      @Nullable AccountUser user,
      int depth) {}

  List<PrintFields.Field<Row>> all() {
    List<PrintFields.Field<Row>> fields = new ArrayList<>();
    fields.add(new PrintFields.Field<>("Account", "Account", 10, AssociationColumns::account));
    fields.add(
        new PrintFields.Field<>(
            "AdminLevel", "Admin", 9, r -> r.user() == null ? "" : r.user().adminLevel().text()));
    fields.add(new PrintFields.Field<>("Cluster", "Cluster", 10, r -> report.cluster()));
    fields.add(new PrintFields.Field<>("Coordinators", "Coord Accounts", 20, this::coordinators));
    fields.add(
        new PrintFields.Field<>(
            "DefaultAccount",
            "Def Acct",
            10,
            r -> r.user() == null ? "" : r.user().defaultAccount()));
    fields.add(of("DefaultQOS", "Def QOS", 9, this::defaultQos));
    fields.add(
        new PrintFields.Field<>(
            "DefaultWCKey", "Def WCKey", 10, r -> r.user() == null ? "" : r.user().defaultWckey()));
    fields.add(
        new PrintFields.Field<>(
            "Description", "Descr", 20, r -> r.account() == null ? "" : r.account().description()));
    fields.add(of("Fairshare", "Share", 9, AssociationColumns::shares));
    for (LimitKind kind : LimitKind.values()) {
      if (kind.onAssociation()) {
        fields.add(limit(kind));
      }
    }
    fields.add(of("ID", "ID", 6, a -> Integer.toString(a.id())));
    fields.add(of("Comment", "Comment", 10, Association::comment));
    fields.add(
        new PrintFields.Field<>(
            "Organization", "Org", 20, r -> r.account() == null ? "" : r.account().organization()));
    fields.add(of("ParentName", "Par Name", 10, this::parentName));
    fields.add(of("ParentID", "ParentID", 8, a -> Integer.toString(a.parent())));
    fields.add(of("Partition", "Partition", 10, Association::partition));
    fields.add(
        of("Priority", "Priority", 10, a -> a.priority() == null ? "" : a.priority().toString()));
    fields.add(
        of(
            "QOS",
            "QOS",
            20,
            a -> String.join(",", report.accounting().qosOf(a).stream().sorted().toList())));
    fields.add(of("Share", "Share", 9, AssociationColumns::shares));
    fields.add(new PrintFields.Field<>("User", "User", 10, AssociationColumns::user));
    return fields;
  }

  private static PrintFields.Field<Row> of(
      String option, String head, int width, Function<Association, String> text) {
    return new PrintFields.Field<>(
        option, head, width, r -> r.association() == null ? "" : text.apply(r.association()));
  }

  private static String account(Row row) {
    String name =
        row.association() != null
            ? row.association().account()
            : row.account() != null ? row.account().name() : "";
    return " ".repeat(row.depth()) + name;
  }

  private static String user(Row row) {
    return row.association() != null
        ? row.association().user()
        : row.user() != null ? row.user().name() : "";
  }

  private String coordinators(Row row) {
    if (row.user() != null) {
      String name = row.user().name();
      return String.join(
          ",",
          report.accounting().accounts().values().stream()
              .filter(a -> a.coordinators().contains(name))
              .map(Account::name)
              .toList());
    }
    return row.account() == null ? "" : String.join(",", row.account().coordinators());
  }

  private String defaultQos(Association from) {
    for (Association a : report.accounting().upwards(from)) {
      if (a.defaultQos() instanceof String name) {
        return name;
      }
    }
    return "";
  }

  private String parentName(Association a) {
    Association parent = report.accounting().parent(a);
    return parent == null || a.isUser() ? "" : parent.account();
  }

  private static String shares(Association a) {
    return a.sharesParent() ? "parent" : Integer.toString(a.shares());
  }

  private PrintFields.Field<Row> limit(LimitKind kind) {
    int width =
        switch (kind.unit()) {
          case TRES, TRES_MINUTES -> kind == LimitKind.MAX_TRES_PER_NODE ? 14 : 13;
          case MINUTES -> 11;
          case JOBS, NUMBER -> Math.max(7, kind.column().length());
        };
    return of(kind.option(), kind.column(), width, a -> shown(a, kind));
  }

  /** Limits of jobs and users come from the nearest above that sets them; group limits do not. */
  private String shown(Association association, LimitKind kind) {
    Accounting accounting = report.accounting();
    List<Association> line =
        kind.option().startsWith("Grp") ? List.of(association) : accounting.upwards(association);
    if (kind.byTres()) {
      Map<String, Long> amounts = new TreeMap<>();
      line.forEach(a -> a.limits().tres(kind).forEach(amounts::putIfAbsent));
      return Sacctmgr.tres(amounts);
    }
    for (Association a : line) {
      Long number = a.limits().number(kind);
      if (number != null) {
        return number(kind, number);
      }
    }
    return "";
  }

  static String number(LimitKind kind, long number) {
    return kind.unit() == LimitKind.Unit.MINUTES
        ? TimeLimits.format(number * 60)
        : Long.toString(number);
  }
}
