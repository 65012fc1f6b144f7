package dev.yardmaster.golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/** What could be seen at a moment: tables with a row for each job, node, reservation and share. */
final class Snapshot {
  private static final Set<String> WITH_START = Set.of("PENDING", "RUNNING");

  private final String name;
  private final List<List<String>> tables;
  private final Tolerances tolerances;

  private Snapshot(String name, List<List<String>> tables, Tolerances tolerances) {
    this.name = name;
    this.tables = tables;
    this.tolerances = tolerances;
  }

  static Snapshot read(Path file, String name, Tolerances tolerances) throws IOException {
    List<List<String>> tables = new ArrayList<>();
    List<String> table = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.isEmpty()) {
        table.add(line);
      } else if (!table.isEmpty()) {
        tables.add(table);
        table = new ArrayList<>();
      }
    }
    if (!table.isEmpty()) {
      tables.add(table);
    }
    return new Snapshot(name, tables, tolerances);
  }

  /** What is seen here, as the commands print it. */
  record Seen(String jobs, String nodes, String reservations, String shares, long now) {}

  void compare(Seen seen, Agreement agreement) {
    boolean hasJobs = false;
    for (List<String> table : tables) {
      List<String> head = cells(table.getFirst(), 0);
      List<Map<String, String>> rows = new ArrayList<>();
      for (String line : table.subList(1, table.size())) {
        List<String> cells = cells(line, head.size());
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < head.size(); i++) {
          row.put(head.get(i), cells.get(i));
        }
        rows.add(row);
      }
      switch (head.getFirst()) {
        case "job" -> {
          hasJobs = true;
          jobs(rows, seen, agreement);
        }
        case "node" -> pairs("node", "state", rows, Shown.nodes(seen.nodes()), agreement);
        case "reservation" ->
            pairs("reservation", "nodes", rows, Shown.reservations(seen.reservations()), agreement);
        default -> shares(rows, seen, agreement);
      }
    }
    if (!hasJobs) {
      jobs(List.of(), seen, agreement);
    }
  }

  /** The last cell may have wide gaps itself. */
  private static List<String> cells(String line, int number) {
    return List.of(line.split(" {2,}", number)).stream()
        .map(c -> c.equals("\"\"") ? "" : c)
        .toList();
  }

  private void jobs(List<Map<String, String>> rows, Seen seen, Agreement agreement) {
    Map<String, Map<String, String>> jobs = Shown.jobs(seen.jobs());
    Set<String> expected = new HashSet<>();
    for (Map<String, String> row : rows) {
      String job = row.getOrDefault("job", "");
      expected.add(job);
      Map<String, String> here = jobs.get(job);
      String what = name + " " + job;
      if (here == null) {
        agreement.check(what, row.getOrDefault("state", ""), null);
      } else {
        job(what, row, here, seen.now(), agreement);
      }
    }
    jobs.forEach(
        (job, here) -> {
          if (!expected.contains(job)) {
            agreement.surplus(name + " " + job, here.getOrDefault("JobState", ""));
          }
        });
  }

  private void job(
      String what,
      Map<String, String> row,
      Map<String, String> here,
      long now,
      Agreement agreement) {
    String state = row.getOrDefault("state", "");
    List<List<String>> columns = new ArrayList<>();
    columns.add(List.of("state", "JobState"));
    columns.add(List.of("reason", "Reason"));
    columns.add(List.of("nodes", "NodeList"));
    columns.add(List.of("number", "NumNodes"));
    columns.add(List.of("planned", "SchedNodeList"));
    columns.add(List.of("limit", "TimeLimit"));
    columns.add(List.of("requested", "ReqTRES"));
    columns.add(List.of("allocated", "AllocTRES"));
    columns.add(List.of("gres", "GRES"));
    for (List<String> column : columns) {
      // Not every case tells the number of nodes.
      String value =
          row.getOrDefault(column.getFirst(), column.getFirst().equals("number") ? "." : "");
      if (!value.equals(".")) {
        String shown = here.get(column.getLast());
        agreement.check(what + " " + column.getFirst(), value, shown == null ? "-" : shown);
      }
    }
    if (WITH_START.contains(state)) {
      int tolerance = tolerances.start(state);
      BiPredicate<String, String> near =
          (a, b) ->
              isNumber(a)
                  && isNumber(b)
                  && Math.abs(Long.parseLong(a) - Long.parseLong(b)) <= tolerance;
      String start = Shown.relative(here.get("StartTime"), now);
      agreement.check(what + " start", row.getOrDefault("start", ""), start, near);
    }
    agreement.check(
        what + " priority",
        row.getOrDefault("priority", ""),
        here.get("Priority"),
        (a, b) -> isNumber(a) && isNumber(b) && tolerances.priority(a, b));
  }

  private static boolean isNumber(String text) {
    return text.matches("-?\\d{1,18}");
  }

  private void pairs(
      String kind,
      String column,
      List<Map<String, String>> rows,
      Map<String, String> here,
      Agreement agreement) {
    for (Map<String, String> row : rows) {
      String key = row.getOrDefault(kind, "");
      agreement.check(
          name + " " + kind + " " + key + " " + column,
          row.getOrDefault(column, ""),
          here.get(key));
    }
  }

  private void shares(List<Map<String, String>> rows, Seen seen, Agreement agreement) {
    Map<String, Map<String, String>> here = Shown.shares(seen.shares());
    for (Map<String, String> row : rows) {
      String key = row.getOrDefault("account", "") + " " + row.getOrDefault("user", "");
      for (String column : List.of("NormShares", "EffectvUsage", "FairShare")) {
        agreement.check(
            name + " share " + key + " " + column,
            row.getOrDefault(column, ""),
            here.getOrDefault(key, Map.of()).get(column),
            Tolerances::share);
      }
    }
  }
}
