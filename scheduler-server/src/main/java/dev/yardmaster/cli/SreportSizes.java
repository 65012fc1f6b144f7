package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.Account;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.UsageReport;
import dev.yardmaster.model.text.Instants;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;

/** The reports of sreport(1) by sizes of jobs. */
final class SreportSizes {
  private static final List<String> USUAL = List.of("50", "250", "500", "1000");
  private static final int WIDTH = 13;

  private final GetOpt.Parsed parsed;
  private final ReportTime time;
  private final Io io;

  SreportSizes(GetOpt.Parsed parsed, ReportTime time, Io io) {
    this.parsed = parsed;
    this.time = time;
    this.io = io;
  }

  private record Row(String account, long[] groups, long total) {}

  void run(List<String> words) throws CommandFailure {
    String name = words.getFirst().toLowerCase(Locale.ROOT);
    if (!"sizesbyaccount".startsWith(name) && !name.startsWith("sizesbya")) {
      throw new CommandFailure(
          1,
          "Not valid report " + words.getFirst(),
          "Valid job reports are, \"SizesByAccount, SizesByAccountAndWcKey, and  SizesByWckey\"");
    }
    SreportTerms terms = SreportTerms.read(words.subList(1, words.size()), false, io);
    List<Long> bounds = bounds(terms.grouping().isEmpty() ? USUAL : terms.grouping());
    try (SchedulerClient client = Session.open("sreport", io)) {
      UsageReport report = client.usage(terms.start(), terms.end());
      String cluster = client.info().cluster();
      List<Row> rows = rows(report, client.accounting(), terms, bounds);
      print(terms, bounds, rows, cluster);
    } catch (ClientException e) {
      throw new CommandFailure(1, "sreport: error: " + Session.words(e));
    }
  }

  private static List<Long> bounds(List<String> words) throws CommandFailure {
    List<Long> bounds = new ArrayList<>();
    for (String word : words) {
      if (!word.matches("[0-9]{1,9}")) {
        throw new CommandFailure(1, "sreport: error: Invalid value for grouping (" + word + ")");
      }
      bounds.add(Long.valueOf(word));
    }
    bounds.sort(null);
    return bounds;
  }

  private static List<Row> rows(
      UsageReport report, AccountingReport accounting, SreportTerms terms, List<Long> bounds) {
    List<String> accounts = terms.accounts().isEmpty() ? List.of(Account.ROOT) : terms.accounts();
    List<Row> rows = new ArrayList<>();
    for (String account : accounts) {
      long[] groups = new long[bounds.size() + 1];
      long total = 0;
      for (UsageReport.Used used : report.used()) {
        boolean own =
            Sreport.isBelow(accounting, used.account(), account.toLowerCase(Locale.ROOT))
                && Sreport.isWanted(terms.users(), used.user());
        SortedMap<Long, Long> amounts = terms.jobCount() ? used.jobs() : used.sizes();
        for (var size : own ? amounts.entrySet() : List.<Map.Entry<Long, Long>>of()) {
          int group = (int) bounds.stream().filter(bound -> size.getKey() >= bound).count();
          groups[group] += size.getValue();
          total += size.getValue();
        }
      }
      if (total > 0) {
        rows.add(new Row(account, groups, total));
      }
    }
    return rows;
  }

  private void print(SreportTerms terms, List<Long> bounds, List<Row> rows, String cluster) {
    boolean header = !parsed.has("noheader");
    if (header) {
      long seconds = Duration.between(terms.start(), terms.end()).toSeconds();
      io.out().println(Sreport.LINE);
      io.out()
          .println(
              "Job Sizes "
                  + Instants.format(terms.start(), io.zone())
                  + " - "
                  + Instants.format(terms.end().minusSeconds(1), io.zone())
                  + " ("
                  + seconds
                  + " secs)");
      io.out()
          .println(
              terms.jobCount()
                  ? "Units are in number of jobs ran"
                  : "Time reported in " + time.words());
      io.out().println(Sreport.LINE);
    }
    long all = rows.stream().mapToLong(Row::total).max().orElse(0);
    List<PrintFields.Field<Row>> fields = new ArrayList<>();
    fields.add(new PrintFields.Field<>("Cluster", "Cluster", 9, row -> cluster));
    fields.add(new PrintFields.Field<>("Account", "Account", 9, Row::account));
    for (int i = 0; i <= bounds.size(); i++) {
      int group = i;
      fields.add(
          new PrintFields.Field<>(
              "group",
              head(bounds, i),
              WIDTH,
              row -> text(terms, row.groups()[group], row.total())));
    }
    fields.add(
        new PrintFields.Field<>(
            "total", "Total Count", 11, row -> text(terms, row.total(), row.total())));
    fields.add(
        new PrintFields.Field<>(
            "share",
            "% of cluster",
            12,
            row ->
                String.format(Locale.ROOT, "%.2f%%", 100.0 * row.total() / (all == 0 ? 1 : all))));
    PrintFields<Row> table = PrintFields.of(fields, Sshare.style(parsed), "|");
    if (header) {
      table.header().forEach(io.out()::println);
    }
    rows.forEach(row -> io.out().println(table.line(row)));
  }

  private static String head(List<Long> bounds, int group) {
    if (group == bounds.size()) {
      return ">= " + bounds.getLast() + " CPUs";
    }
    long from = group == 0 ? 0 : bounds.get(group - 1);
    return from + "-" + (bounds.get(group) - 1) + " CPUs";
  }

  private String text(SreportTerms terms, long amount, long total) {
    return terms.jobCount() ? Long.toString(amount) : time.text(amount, total);
  }
}
