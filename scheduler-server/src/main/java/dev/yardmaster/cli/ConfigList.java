package dev.yardmaster.cli;

import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.NotationException;
import dev.yardmaster.model.text.TimeLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings in force as {@code scontrol show config} tells them: all that Slurm has, in its
 * order and with its units, those that the configuration says nothing of with Slurm's defaults.
 * Settings that Slurm does not know come last.
 */
final class ConfigList {
  private static final List<Row> ROWS = lines("config.txt").stream().map(ConfigList::row).toList();

  /** What is told of by another name, or by none, once it is set. */
  private static final List<String> ELSEWHERE =
      List.of("SlurmctldHost", "ControlMachine", "PrologEpilogTimeout");

  private final Map<String, String> texts = new LinkedHashMap<>();

  /**
   * A key and what is told of it.
   *
   * @param kind the unit of a number; text, yes (or no), bit (1 or 0), time, user, or own for what
   *     is no setting
   * @param otherwise what is told where nothing is set
   */
  private record Row(String key, String kind, String otherwise) {}

  private static Row row(String line) {
    String[] parts = line.split("\\|", 3);
    return new Row(parts[0], parts[1], parts[2]);
  }

  /** The lines of a table beside this class, without its remarks. */
  static List<String> lines(String name) {
    try (InputStream in = Objects.requireNonNull(ConfigList.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @param settings as the controller tells them
   * @param nodes how many there are
   */
  ConfigList(SortedMap<String, String> settings, ClusterInfo info, int nodes, Io io) {
    TreeMap<String, String> left = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    left.putAll(settings);
    for (Row row : ROWS) {
      if (row.kind().equals("own")) {
        own(row, left, info, nodes, io);
      } else {
        String set = left.remove(row.key());
        texts.put(row.key(), told(row, set == null ? row.otherwise() : set, io));
      }
    }
    ELSEWHERE.forEach(left::remove);
    left.keySet().removeIf(key -> key.startsWith("SlurmctldHost["));
    texts.putAll(left);
  }

  private void own(Row row, Map<String, String> settings, ClusterInfo info, int nodes, Io io) {
    switch (row.key()) {
      case "BOOT_TIME" -> texts.put(row.key(), Instants.format(info.started(), io.zone()));
      case "ClusterName" -> texts.put(row.key(), info.cluster());
      case "MaxNodeCount" -> texts.put(row.key(), Integer.toString(nodes));
      case "SLURM_VERSION" -> texts.put(row.key(), info.slurmVersion());
      case "SlurmctldHost[0]" ->
          settings.forEach(
              (key, value) -> {
                if (key.startsWith("SlurmctldHost[")) {
                  texts.put(key, value);
                }
              });
      case "DefMemPerCPU" -> memory("DefMemPer", settings);
      default -> {}
    }
    settings.remove(row.key());
  }

  /** Of the two ways to say how much memory, the one that was used. */
  private void memory(String key, Map<String, String> settings) {
    String perCpu = settings.remove(key + "CPU");
    String perNode = settings.remove(key + "Node");
    if (perCpu != null) {
      texts.put(key + "CPU", perCpu);
    } else {
      texts.put(key + "Node", perNode == null || perNode.equals("0") ? "UNLIMITED" : perNode);
    }
  }

  private static String told(Row row, String set, Io io) {
    String word = set.toLowerCase(Locale.ROOT);
    boolean on = word.equals("yes") || word.equals("true") || word.equals("1");
    return switch (row.kind()) {
      case "yes" -> on ? "yes" : "no";
      case "bit" -> word.matches("yes|true|no|false") ? (on ? "1" : "0") : set;
      case "time" -> time(set);
      case "user" -> set.contains("(") ? set : user(set, io);
      case "text" ->
          switch (row.key()) {
            case "SelectTypeParameters", "EnforcePartLimits" -> set.toUpperCase(Locale.ROOT);
            default -> set;
          };
      default -> set.matches("[0-9]+") ? set + " " + row.kind() : set;
    };
  }

  private static String time(String set) {
    try {
      return TimeLimits.format(60 * TimeLimits.parseMinutes(set));
    } catch (NotationException e) {
      return set;
    }
  }

  private static String user(String name, Io io) {
    var found = io.machine().find(name);
    return found == null ? name : name + "(" + found.uid() + ")";
  }

  /** Everything by its key. */
  Map<String, String> texts() {
    return texts;
  }

  /** Prints it as a list. */
  void print(Instant now, Io io) {
    io.out().println("Configuration data as of " + Instants.format(now, io.zone()));
    texts.forEach((key, value) -> io.out().println(String.format("%-23s = %s", key, value)));
    io.out().println();
  }

  /** Writes it as data, each key in Slurm's type for it. */
  void write(DataDocument to, Instant now) throws IOException {
    TreeMap<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(texts);
    to.object(
        "slurm_conf",
        conf -> {
          for (String line : lines("config-data.txt")) {
            String[] parts = line.split("\\|", 2);
            String value = all.getOrDefault(parts[0], "");
            write(conf, parts[0], parts[1], isNothing(value) ? "" : value);
          }
        });
    to.object(
        "slurm_conf_meta",
        meta -> {
          meta.number("LastUpdate", now.getEpochSecond());
          meta.text("SLURM_VERSION", all.getOrDefault("SLURM_VERSION", ""));
        });
  }

  private static boolean isNothing(String value) {
    return value.startsWith("(null") || value.equalsIgnoreCase("none");
  }

  private void write(DataDocument to, String key, String type, String value) throws IOException {
    switch (type) {
      case "bool" -> to.out().writeBooleanField(key, value.equals("1") || value.equals("yes"));
      case "number" -> to.number(key, number(value));
      case "list" -> to.list(key, value.isEmpty() ? List.of() : List.of(value.split(",")));
      case "set" -> {
        if (value.matches("(?i)INFINITE|UNLIMITED")) {
          to.limit(key, -1);
        } else {
          to.set(key, value.isEmpty() ? null : Long.valueOf(number(value)));
        }
      }
      case "other" -> {
        if (key.equals("controllers")) {
          controllers(to);
        } else {
          range(to, key, value);
        }
      }
      default -> to.text(key, value);
    }
  }

  private static void range(DataDocument to, String key, String value) throws IOException {
    int dash = value.indexOf('-');
    long from = number(value);
    long until = dash < 0 ? from : number(value.substring(dash + 1));
    to.object(
        key,
        range -> {
          range.number("minimum", from);
          range.number("maximum", until);
          range.out().writeBooleanField("set", until > 0);
        });
  }

  private void controllers(DataDocument to) throws IOException {
    List<String> hosts =
        texts.entrySet().stream()
            .filter(entry -> entry.getKey().startsWith("SlurmctldHost["))
            .map(Map.Entry::getValue)
            .toList();
    to.objects(
        "controllers",
        hosts,
        (each, host) -> {
          int paren = host.indexOf('(');
          String name = paren < 0 ? host : host.substring(0, paren);
          each.text("address", paren < 0 ? name : host.substring(paren + 1, host.length() - 1));
          each.text("machine", name);
        });
  }

  private static long number(String value) {
    String digits = value.replaceFirst("[^0-9].*", "");
    return digits.isEmpty() || digits.length() > 18 ? 0 : Long.parseLong(digits);
  }
}
