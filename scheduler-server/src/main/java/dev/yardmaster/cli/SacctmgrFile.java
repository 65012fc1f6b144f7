package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Qos;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code sacctmgr dump} and {@code load}: the accounting to a file, and from one. */
final class SacctmgrFile {
  private static final Pattern LINE = Pattern.compile("(\\w+)\\s*-\\s*('[^']*'|[^:]*)(:.*)?");
  private static final Pattern OPTION = Pattern.compile(":(\\w+)=('[^']*'|[^:]*)");

  private static final List<String> REMARKS =
      List.of(
          "# One line for each QOS, then one for the cluster, then one for each account and user;",
          "# what is after a ':' may be left out. Accounts and users are of the Parent above them,",
          "# which an earlier line has made (root is there):",
          "#   Parent - 'root'",
          "#   Account - 'physics':Description='Physics':Organization='science':Fairshare=40",
          "#   Parent - 'physics'",
          "#   User - 'somebody':MaxJobs=3:Fairshare=1");

  private final SchedulerClient client;
  private final Io io;

  SacctmgrFile(SchedulerClient client, Io io) {
    this.client = client;
    this.io = io;
  }

  /** Writes the cluster that is named to the file that is named. */
  int dump(List<String> words) throws ClientException, CommandFailure {
    Map<String, String> given = named(words, "cluster");
    AccountingReport report = client.accounting();
    String cluster = given.get("cluster");
    if (cluster == null) {
      throw new CommandFailure(1, " We need a cluster to dump.");
    }
    if (!cluster.equalsIgnoreCase(report.cluster())) {
      throw new CommandFailure(1, " Cluster " + cluster + " not found");
    }
    String file = given.get("file");
    if (file == null) {
      file = "./" + cluster + ".cfg";
      io.out().println(" No filename given, using " + file + ".");
    }
    List<String> lines = new SacctmgrDump(report).lines();
    List<String> text = new ArrayList<>(REMARKS);
    text.addAll(lines);
    try {
      Files.write(io.directory().resolve(file), text, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new CommandFailure(1, "sacctmgr: error: Can't open " + file + ", " + reason(e));
    }
    lines.forEach(line -> io.err().println("sacctmgr: " + line));
    return 0;
  }

  private static String reason(IOException e) {
    return e instanceof AccessDeniedException ? "Permission denied" : "No such file or directory";
  }

  /** What stands alone is the field that is named, or the file. */
  private static Map<String, String> named(List<String> words, String alone) throws CommandFailure {
    Map<String, String> given = new LinkedHashMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      String key = equals < 0 ? alone : word.substring(0, equals).toLowerCase(Locale.ROOT);
      String value = word.substring(equals + 1).replaceAll("^'|'$", "");
      if (!key.isEmpty() && "file".startsWith(key)) {
        given.put("file", value);
      } else if (key.length() >= 3 && "cluster".startsWith(key)) {
        given.put("cluster", value);
      } else {
        throw new CommandFailure(1, " Unknown option: " + word);
      }
    }
    return given;
  }

  /** Changes of the accounting, and the line of the file that asks for them. */
  private record Change(int line, List<String> words) {}

  /**
   * Reads a file and does what it says beyond what is there already.
   *
   * @param agreed asks whether it is to be done
   */
  int load(List<String> words, Agreement agreed) throws ClientException, CommandFailure {
    String file = named(words, "file").get("file");
    if (file == null) {
      throw new CommandFailure(1, " No filename given, specify one with file=''");
    }
    List<String> lines;
    try {
      lines = Files.readAllLines(io.directory().resolve(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new CommandFailure(1, " Unable to read \"" + words.getFirst() + "\": " + reason(e));
    }
    List<Change> changes = changes(lines);
    if (changes.isEmpty()) {
      io.out().println(" Nothing new added.");
      return 0;
    }
    changes.forEach(change -> io.out().println("  " + String.join(" ", change.words())));
    if (!agreed.to("Would you like to commit changes?")) {
      io.out().println(" Changes Discarded");
      return 0;
    }
    for (Change change : changes) {
      try {
        client.changeAccounting(change.words(), false);
      } catch (ClientException.Refused e) {
        String detail = e.detail() == null ? e.slurmText() : e.detail();
        throw new CommandFailure(1, " Problem with line(" + change.line() + ")", detail.strip());
      }
    }
    return 0;
  }

  /** Asks a question. */
  @FunctionalInterface
  interface Agreement {
    boolean to(String question);
  }

  private List<Change> changes(List<String> lines) throws ClientException, CommandFailure {
    AccountingReport report = client.accounting();
    Accounting there = report.accounting();
    SacctmgrDump dump = new SacctmgrDump(report);
    List<Change> changes = new ArrayList<>();
    String parent = "root";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        throw new CommandFailure(1, " Problem with line(" + (i + 1) + ")");
      }
      String name = bare(parts.group(2));
      Map<String, String> options = options(parts.group(3));
      int number = i + 1;
      switch (parts.group(1).toLowerCase(Locale.ROOT)) {
        case "parent" -> parent = name;
        case "cluster" -> {
          if (!name.equalsIgnoreCase(report.cluster())) {
            throw new CommandFailure(
                1,
                " Cluster name '" + name + "' is not that of this cluster. line(" + number + ")");
          }
          if (!dump.lines().contains(line) && !options.isEmpty()) {
            changes.add(
                new Change(number, words(List.of("modify", "cluster", name, "set"), options)));
          }
        }
        case "qos" -> {
          Qos qos = there.qosNamed(name);
          if (qos == null) {
            changes.add(new Change(number, words(List.of("add", "qos", name), options)));
          } else if (!SacctmgrDump.line(qos).equals(line) && !options.isEmpty()) {
            changes.add(new Change(number, words(List.of("modify", "qos", name, "set"), options)));
          }
        }
        case "account", "project" ->
            account(name, parent, options, dump, there, line, number, changes);
        case "user" -> user(name, parent, options, dump, there, line, number, changes);
        default ->
            throw new CommandFailure(
                1, " Misformatted line(" + number + "): " + parts.group(1) + " is nothing of it");
      }
    }
    return changes.stream().flatMap(SacctmgrFile::split).toList();
  }

  /** What an association may use beyond its parent's, or not, is said in a change of its own. */
  private static Stream<Change> split(Change change) {
    String qos =
        change.words().stream().filter(word -> word.matches("qos=[+-].*")).findFirst().orElse("");
    if (qos.isEmpty()) {
      return Stream.of(change);
    }
    List<String> rest = change.words().stream().filter(word -> !word.equals(qos)).toList();
    List<String> modify = new ArrayList<>();
    if (rest.getFirst().equals("add")) {
      boolean user = rest.get(1).equals("user");
      modify.addAll(List.of("modify", rest.get(1)));
      modify.addAll(
          user ? List.of("where", "name=" + rest.get(2), rest.get(3)) : List.of(rest.get(2)));
      modify.add("set");
    } else {
      modify.addAll(rest.subList(0, rest.indexOf("set") + 1));
    }
    for (String sign : List.of("+", "-")) {
      String names =
          Stream.of(qos.substring(4).split(","))
              .filter(name -> name.startsWith(sign))
              .map(name -> name.substring(1))
              .collect(Collectors.joining(","));
      if (!names.isEmpty()) {
        modify.add("qos" + sign + "=" + names);
      }
    }
    boolean nothing = rest.getLast().equals("set");
    Change second = new Change(change.line(), modify);
    return nothing ? Stream.of(second) : Stream.of(new Change(change.line(), rest), second);
  }

  private static void account(
      String name,
      String parent,
      Map<String, String> options,
      SacctmgrDump dump,
      Accounting there,
      String line,
      int number,
      List<Change> changes) {
    Association found = there.ofAccount(name);
    if (found == null) {
      List<String> add = List.of("add", "account", name, "parent=" + parent);
      changes.add(new Change(number, words(add, options)));
      return;
    }
    Association above = there.parent(found);
    boolean moved = above == null || !above.account().equals(parent);
    if (moved || !dump.line(found).equals(line)) {
      List<String> modify = new ArrayList<>(List.of("modify", "account", name, "set"));
      if (moved) {
        modify.add("parent=" + parent);
      }
      changes.add(new Change(number, words(modify, options)));
    }
  }

  private static void user(
      String name,
      String parent,
      Map<String, String> options,
      SacctmgrDump dump,
      Accounting there,
      String line,
      int number,
      List<Change> changes) {
    @Nullable String partition = options.remove("partition");
    @Nullable String coordinates = options.remove("coordinator");
    Association found = there.find(name, parent, partition == null ? "" : partition);
    boolean known = found != null && found.partition().equals(partition == null ? "" : partition);
    if (found == null || !known) {
      List<String> add = new ArrayList<>(List.of("add", "user", name, "account=" + parent));
      if (partition != null) {
        add.add("partition=" + partition);
      }
      changes.add(new Change(number, words(add, options)));
    } else if (!dump.line(found).equals(line) && !options.isEmpty()) {
      List<String> modify =
          new ArrayList<>(List.of("modify", "user", "where", "name=" + name, "account=" + parent));
      if (partition != null) {
        modify.add("partition=" + partition);
      }
      modify.add("set");
      options.remove("wckeys");
      changes.add(new Change(number, words(modify, options)));
    } else {
      return;
    }
    if (coordinates != null) {
      changes.add(
          new Change(
              number, List.of("add", "coordinator", "account=" + coordinates, "names=" + name)));
    }
  }

  private static List<String> words(List<String> first, Map<String, String> options) {
    List<String> words = new ArrayList<>(first);
    options.forEach((key, value) -> words.add(key + "=" + value));
    return words;
  }

  private static Map<String, String> options(@Nullable String text) {
    Map<String, String> options = new LinkedHashMap<>();
    Matcher option = OPTION.matcher(text == null ? "" : text);
    while (option.find()) {
      options.put(option.group(1).toLowerCase(Locale.ROOT), bare(option.group(2)));
    }
    return options;
  }

  private static String bare(String text) {
    return text.strip().replaceAll("^'|'$", "");
  }
}
