package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeUse;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NodeStateText;
import dev.yardmaster.model.text.NotationException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** sinfo(1): lists partitions and nodes. */
final class Sinfo implements Command {
  private static final List<String> TABLE =
      List.of(
          "a all",
          "M cluster|clusters:",
          "d dead",
          "e exact",
          "federation",
          "F future",
          "o format:",
          "O Format:",
          "help",
          "helpformat",
          "helpFormat",
          "helpstate",
          "hide",
          "i iterate:",
          "json::",
          "yaml::",
          "local",
          "l long",
          "n nodes:",
          "N Node",
          "h noheader",
          "noconvert",
          "p partition:",
          "T reservation",
          "r responding",
          "S sort:",
          "s summarize",
          "R list-reasons",
          "t states:",
          "usage",
          "v verbose",
          "V version");

  private static final DateTimeFormatter CTIME =
      DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss yyyy", Locale.ROOT);

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed = new GetOpt("sinfo", 1, false, TABLE).parse(arguments);
    String help = help(parsed);
    if (help != null) {
      io.out().println(help);
      return 0;
    }
    checkTogether(parsed, io);
    int pause = pause(parsed.last("iterate"));
    SinfoColumns columns = new SinfoColumns(io.zone(), io.machine());
    Predicate<NodeStateText> states = states(parsed);
    HostList nodes = nodes(parsed.last("nodes"));
    String sort = parsed.last("sort");
    if (sort == null) {
      String variable = io.nonEmpty("SINFO_SORT");
      sort = variable != null ? variable : parsed.has("Node") ? "N" : "#P,-t";
    }
    String keys = sort;
    try (SchedulerClient client = Session.open("sinfo", parsed.last("clusters"), io)) {
      while (true) {
        ClusterView view = client.read(Selection.NODES);
        Instant now = io.clock().instant();
        if (!parsed.has("noheader") && (parsed.has("long") || pause > 0)) {
          io.out().println(CTIME.format(now.atZone(io.zone())));
        }
        if (parsed.has("clusters") || io.nonEmpty("SLURM_CLUSTERS") != null) {
          io.out().println("CLUSTER: " + new TresText(view).cluster());
        }
        if (parsed.has("reservation")) {
          ReservationList.print(view, now, io, !parsed.has("noheader"));
        } else {
          list(scope(parsed, io, view, states, nodes), parsed, columns, keys, now, io);
        }
        if (pause == 0) {
          return 0;
        }
        io.out().println();
        io.out().flush();
        Thread.sleep(1000L * pause);
      }
    } catch (ClientException e) {
      throw new CommandFailure(1, "slurm_load_partitions: " + Session.words(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 130;
    }
  }

  private static void list(
      Scope scope, GetOpt.Parsed parsed, SinfoColumns columns, String keys, Instant now, Io io) {
    List<String> problems = new ArrayList<>();
    Layout<SinfoRow> layout = layout(parsed, io, scope, columns, problems);
    problems.forEach(problem -> io.err().println(problem));
    columns.reserve(scope.view().reservations().values(), now);
    List<SinfoRow> rows = rows(scope, layout, columns, parsed, now);
    new SinfoOrder(io.machine()).sort(rows, keys);
    if (DataDocument.isAsked(parsed)) {
      boolean yaml = parsed.has("yaml");
      DataDocument.print(
          yaml,
          DataDocument.command("sinfo", parsed),
          scope.view(),
          io,
          document -> new EntityJson(scope.view()).rows(document, rows));
      return;
    }
    if (!parsed.has("noheader")) {
      io.out().println(layout.header());
    }
    rows.forEach(row -> io.out().println(layout.line(row)));
  }

  private static @Nullable String help(GetOpt.Parsed parsed) {
    for (GetOpt.Given given : parsed.options()) {
      String text =
          switch (given.name()) {
            case "version" -> SlurmVersion.line();
            case "help", "usage" ->
                Usage.of(
                    "Usage: sinfo [OPTION...]\nLists partitions and nodes.", "sinfo(1)", TABLE);
            case "helpstate" -> String.join("\n", NodeFilter.names());
            case "helpformat" -> ColumnHelp.letters(ColumnHelp.NODES);
            case "helpFormat" -> ColumnHelp.names(ColumnHelp.NODES);
            default -> null;
          };
      if (text != null) {
        return text;
      }
    }
    return null;
  }

  /** Options that exclude each other. */
  private static void checkTogether(GetOpt.Parsed parsed, Io io) throws CommandFailure {
    if (io.variable("SINFO_ALL") != null && io.nonEmpty("SINFO_PARTITION") != null) {
      throw new CommandFailure(
          1,
          "sinfo: error: Conflicting options, SINFO_ALL and SINFO_PARTITION, specified. Please"
              + " choose one or the other.");
    }
    if (parsed.has("long") && (parsed.has("format") || parsed.has("Format"))) {
      throw new CommandFailure(
          1,
          "sinfo: fatal: Options -o(--format) and -l(--long) are mutually exclusive. Please remove"
              + " one and retry.");
    }
    if (parsed.has("all") && parsed.has("partition")) {
      throw new CommandFailure(
          1,
          "sinfo: error: Conflicting options, -a and -p, specified. Please choose one or the"
              + " other.");
    }
    String data = parsed.has("json") ? parsed.last("json") : parsed.last("yaml");
    if (data != null && !data.isEmpty()) {
      DataDocument.check("sinfo", data, parsed.has("json"), io);
    }
  }

  /** The seconds of -i; 0 to list once. */
  private static int pause(@Nullable String text) throws CommandFailure {
    if (text == null) {
      return 0;
    }
    int seconds = Formats.seconds(text);
    if (seconds == 0) {
      throw new CommandFailure(1, "sinfo: error: Error: invalid entry for --iterate=" + text);
    }
    return seconds;
  }

  /**
   * What is listed.
   *
   * @param partitions an empty line for each, with its place in the configuration
   * @param future whether nodes that are to come are listed
   */
  private record Scope(
      ClusterView view,
      List<SinfoRow> partitions,
      Predicate<NodeStateText> states,
      boolean future,
      @Nullable HostList nodes) {}

  private static Scope scope(
      GetOpt.Parsed parsed,
      Io io,
      ClusterView view,
      Predicate<NodeStateText> states,
      @Nullable HostList nodes) {
    String named = parsed.last("partition");
    if (named == null) {
      named = io.nonEmpty("SINFO_PARTITION");
    }
    List<String> wanted = named == null ? null : Formats.list(named);
    boolean hidden = parsed.has("all") || wanted != null || io.variable("SINFO_ALL") != null;
    List<SinfoRow> partitions = new ArrayList<>();
    int order = 0;
    for (Partition partition : view.partitions().values()) {
      order++;
      boolean shown = hidden || !partition.hidden() || isOperator(io);
      if (shown && (wanted == null || wanted.contains(partition.name()))) {
        partitions.add(new SinfoRow(partition, order));
      }
    }
    boolean future = parsed.has("future") || io.variable("SINFO_FUTURE") != null;
    return new Scope(view, partitions, states, future, nodes);
  }

  /** Slurm shows hidden partitions to root. */
  private static boolean isOperator(Io io) {
    try {
      return Session.uid(io) == 0;
    } catch (CommandFailure e) {
      return false;
    }
  }

  private static Predicate<NodeStateText> states(GetOpt.Parsed parsed) throws CommandFailure {
    Predicate<NodeStateText> states = state -> true;
    String given = parsed.last("states");
    if (given != null) {
      states = NodeFilter.parse(given);
    } else if (parsed.has("list-reasons")) {
      states = NodeFilter.parse("down,drain,fail");
    }
    if (parsed.has("dead")) {
      states = states.and(NodeFilter.parse("not_responding"));
    }
    return parsed.has("responding") ? states.and(NodeFilter.parse("~not_responding")) : states;
  }

  private static @Nullable HostList nodes(@Nullable String text) throws CommandFailure {
    try {
      return text == null ? null : HostList.parse(text);
    } catch (NotationException e) {
      throw new CommandFailure(1, "sinfo: error: '" + text + "' invalid entry for --nodes");
    }
  }

  private static List<SinfoRow> rows(
      Scope scope,
      Layout<SinfoRow> layout,
      SinfoColumns columns,
      GetOpt.Parsed parsed,
      Instant now) {
    Map<String, NodeUse> uses = new HashMap<>();
    NodeUse.of(
            NodeFilter.visible(scope.view().nodes().values(), scope.future()),
            scope.view().jobs().values(),
            scope.view().reservations().values(),
            now)
        .forEach(use -> uses.put(use.node().name(), use));
    boolean perNode = parsed.has("Node");
    boolean named =
        !perNode
            && !parsed.has("list-reasons")
            && layout.fields().stream()
                .anyMatch(field -> columns.kind(field) == SinfoColumns.Kind.NAME);
    Map<List<String>, SinfoRow> groups = new LinkedHashMap<>();
    List<SinfoRow> first = new ArrayList<>();
    for (SinfoRow line : scope.partitions()) {
      if (named) {
        first.add(line);
      }
      for (String name : line.partition().nodes()) {
        NodeUse use = uses.get(name);
        // As in Slurm a FUTURE node is told of to whom asks for those.
        boolean hidden =
            use != null
                && use.node().status().base() == NodeBaseState.FUTURE
                && !parsed.has("future");
        if (use == null
            || hidden
            || !scope.states().test(use.state())
            || (scope.nodes() != null && !scope.nodes().contains(name))) {
          continue;
        }
        SinfoRow alone = new SinfoRow(line.partition(), line.order());
        alone.nodes().put(name, use);
        List<String> key = key(alone, layout, columns, parsed);
        if (perNode) {
          key.add(line.order() + " " + name);
        }
        if (named && line.isEmpty()) {
          groups.put(key, line);
        }
        groups.computeIfAbsent(key, k -> alone).nodes().put(name, use);
      }
    }
    // Each partition has its first line before any has a second one.
    List<SinfoRow> rows = new ArrayList<>(first);
    Set<SinfoRow> begun = Collections.newSetFromMap(new IdentityHashMap<>());
    begun.addAll(first);
    groups.values().stream().filter(row -> !begun.contains(row)).forEach(rows::add);
    return rows;
  }

  /** What nodes must agree in to share a line. */
  private static List<String> key(
      SinfoRow row, Layout<SinfoRow> layout, SinfoColumns columns, GetOpt.Parsed parsed) {
    boolean reasons = parsed.has("list-reasons");
    List<String> key = new ArrayList<>();
    for (Layout.Field<SinfoRow> field : layout.fields()) {
      boolean tells =
          switch (columns.kind(field)) {
            case NAME, PARTITION -> !reasons;
            case NODE -> true;
            case SIZE -> parsed.has("exact");
            case SUM -> false;
          };
      if (tells) {
        key.add(columns.key(field, row));
      }
    }
    return key;
  }

  private static Layout<SinfoRow> layout(
      GetOpt.Parsed parsed, Io io, Scope scope, SinfoColumns columns, List<String> problems) {
    String format = null;
    boolean byName = false;
    for (GetOpt.Given given : parsed.options()) {
      if (given.name().equalsIgnoreCase("format")) {
        // The last one is taken, in the notation of -O when that was given at all.
        format = given.value();
        byName |= given.name().equals("Format");
      }
    }
    if (byName && format != null) {
      Layout<SinfoRow> named = Formats.names(format, columns.names(), problems);
      boolean all = problems.contains("all") && format.equalsIgnoreCase("all");
      problems.replaceAll(name -> "sinfo: error: Invalid job format specification: " + name);
      // Slurm complains of the word "all" and then does as it says.
      return all ? Formats.percent(all(), columns.letters()::get, new ArrayList<>()) : named;
    }
    if (format == null) {
      String variable = io.nonEmpty("SINFO_FORMAT");
      boolean plain =
          !parsed.has("Node") && !parsed.has("summarize") && !parsed.has("list-reasons");
      format = variable != null && plain ? variable : standard(parsed, scope);
    }
    int at = format.indexOf('%');
    boolean all = at >= 0 && format.substring(at).equalsIgnoreCase("%all");
    Layout<SinfoRow> layout =
        Formats.percent(
            all ? format.substring(0, at) + all() : format, columns.letters()::get, problems);
    problems.replaceAll(letter -> "Invalid node format specification: " + letter);
    return layout;
  }

  /** Every column; Slurm separates the capital letters with a space more. */
  private static String all() {
    StringBuilder all = new StringBuilder();
    for (char c : "abcdefghilmnoprstuvwz".toCharArray()) {
      all.append('%').append(c).append('|');
    }
    for (char c : "ABCDEFGHILMNOPRSTUVXYZ".toCharArray()) {
      all.append('%').append(c).append(" |");
    }
    return all.substring(0, all.length() - 2);
  }

  private static String standard(GetOpt.Parsed parsed, Scope scope) {
    boolean detailed = parsed.has("long");
    int partition = 9;
    for (Partition p : scope.view().partitions().values()) {
      partition = Math.max(partition, p.name().length());
    }
    if (parsed.has("summarize")) {
      return "%" + partition + "P %.5a %.10l %.16F %N";
    }
    if (parsed.has("Node")) {
      int node = 9;
      for (String name : scope.view().nodes().keySet()) {
        node = Math.max(node, name.length());
      }
      String start = "%" + node + "N %.6D %." + partition + "P ";
      return start + (detailed ? "%.11T %4c %.8z %.6m %.8d %.6w %.8f %20E" : "%6t");
    }
    if (parsed.has("list-reasons")) {
      return detailed ? "%20E %12U %19H %6t %N" : "%20E %9u %19H %N";
    }
    return "%"
        + partition
        + (detailed
            ? "P %.5a %.10l %.10s %.4r %.8h %.10g %.6D %.11T %.11i %N"
            : "P %.5a %.10l %.6D %.6t %N");
  }
}
