package dev.yardmaster.bench;

import dev.yardmaster.controller.Crashes;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * {@code yardmaster bench [--quick|--granularity|--moments|--commands|--server|--node|--crash N]
 * [--write FILE]}: runs the benchmarks, prints a table, and replaces the table in a Markdown file
 * between {@code <!-- table -->} and {@code <!-- end -->}.
 */
public final class BenchMain {
  private static final String BEGIN = "<!-- table -->\n";
  private static final String END = "<!-- end -->";

  /** Nodes and pending jobs, and what is measured there. */
  private record Point(String size, List<String> benchmarks) {}

  private static final List<String> PASSES = List.of("mainPass", "fullPlan", "fork");

  private static final List<Point> CURVE =
      List.of(
          new Point("1000x1000", List.of("mainPass", "fullPlan", "fork", "why")),
          new Point("1000x5000", List.of("mainPass", "fullPlan")),
          new Point("1000x10000", List.of("mainPass", "fullPlan", "fork", "why")),
          new Point("1000x100000", PASSES),
          new Point("3000x1000", PASSES),
          new Point("3000x10000", PASSES),
          new Point("3000x100000", PASSES),
          new Point("10000x1000", PASSES),
          new Point("10000x10000", PASSES),
          new Point("10000x100000", PASSES));

  private static final List<Point> QUICK =
      List.of(
          new Point("1000x1000", List.of("why")),
          new Point("1000x10000", List.of("mainPass", "fullPlan", "fork")));

  private BenchMain() {}

  public static void main(String[] arguments) throws Exception {
    boolean quick = false;
    Path file = null;
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--quick" -> quick = true;
        case "--granularity" -> {
          System.out.print(Granularity.table());
          return;
        }
        case "--moments" -> {
          System.out.print(Moments.table(List.of("1000x1000", "1000x10000")));
          return;
        }
        case "--commands" -> {
          System.out.print(new Commands(Path.of(System.getProperty("yardmaster.home"))).table());
          return;
        }
        case "--server" -> {
          Path home = Path.of(System.getProperty("yardmaster.home"));
          System.out.print(new ServerFigures(home).table(quick));
          return;
        }
        case "--node" -> {
          NodeFigures.measure(quick ? 300 : 2_000, System.out);
          return;
        }
        case "--crash" -> {
          int kills = number(arguments, ++i, "--crash needs the number of kills behind it");
          System.out.print(crash(kills));
          return;
        }
        case "--soak" -> {
          Soak.run(
              Duration.ofMinutes(
                  number(arguments, ++i, "--soak needs the number of virtual minutes behind it")),
              System.out);
          return;
        }
        case "--fuzz" -> {
          int minutes = number(arguments, ++i, "--fuzz needs the number of minutes behind it");
          System.exit(Fuzzing.run(minutes, Files.createTempDirectory("fuzz")));
        }
        case "--write" -> {
          if (++i == arguments.length) {
            throw fail("--write needs a FILE behind it");
          }
          file = Path.of(arguments[i]);
          frame(file);
        }
        default ->
            throw fail(
                "unknown option '"
                    + arguments[i]
                    + "'; there are --quick, --granularity, --moments, --commands, --server,"
                    + " --crash N, --fuzz MINUTES, --soak MINUTES, --write FILE");
      }
    }
    String table = table(quick ? QUICK : CURVE, quick, System.err);
    System.out.print(table);
    if (file != null) {
      write(file, table);
    }
  }

  private static int number(String[] arguments, int place, String otherwise) {
    if (place >= arguments.length || !arguments[place].matches("[1-9][0-9]{0,6}")) {
      throw fail(otherwise);
    }
    return Integer.parseInt(arguments[place]);
  }

  private static String crash(int kills) throws Exception {
    Path root = Files.createTempDirectory("crash");
    long seed = System.nanoTime();
    long begin = System.nanoTime();
    Crashes.Figures figures =
        Crashes.run(
            root,
            kills,
            seed,
            line -> {
              System.err.println(line);
            });
    return "%,d kills, of them %,d while the server started: %,d changes acknowledged, none lost; up to %,d records of accounting compared after each; %d s; seed %d%n"
        .formatted(
            figures.kills(),
            figures.early(),
            figures.acknowledged(),
            figures.records(),
            (System.nanoTime() - begin) / 1_000_000_000,
            seed);
  }

  private static RuntimeException fail(String message) {
    System.err.println("yardmaster: bench: " + message);
    System.exit(1);
    return new IllegalArgumentException(message);
  }

  private static String table(List<Point> points, boolean quick, PrintStream progress)
      throws RunnerException {
    TreeMap<Integer, Map<String, Double>> rows = new TreeMap<>();
    for (int i = 0; i < points.size(); i++) {
      Point point = points.get(i);
      progress.println("measuring " + point.size + ": " + String.join(", ", point.benchmarks));
      rows.put(i, measure(point, quick));
    }
    StringBuilder text = new StringBuilder();
    text.append("| nodes | pending jobs | main pass | full plan | fork | why |\n");
    text.append("|---:|---:|---:|---:|---:|---:|\n");
    for (int i = 0; i < points.size(); i++) {
      String[] size = points.get(i).size.split("x");
      text.append("| ").append(thousands(size[0])).append(" | ").append(thousands(size[1]));
      for (String name : List.of("mainPass", "fullPlan", "fork", "why")) {
        Map<String, Double> row = rows.getOrDefault(i, Map.of());
        text.append(" | ").append(milliseconds(row.get(name)));
      }
      text.append(" |\n");
    }
    return text.toString();
  }

  private static Map<String, Double> measure(Point point, boolean quick) throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder().param("size", point.size).verbosity(VerboseMode.SILENT);
    for (String name : point.benchmarks) {
      options = options.include("EngineBenchmark\\." + name + "$");
    }
    if (quick) {
      options = options.warmupIterations(1).measurementIterations(2);
    }
    Collection<RunResult> results = new Runner(options.build()).run();
    Map<String, Double> row = new TreeMap<>();
    for (RunResult result : results) {
      row.put(
          result.getPrimaryResult().getLabel(),
          result.getPrimaryResult().getStatistics().getPercentile(50));
    }
    return row;
  }

  private static String thousands(String number) {
    return String.format(Locale.ROOT, "%,d", Integer.parseInt(number));
  }

  private static String milliseconds(@Nullable Double value) {
    if (value == null) {
      return "";
    }
    return value < 10
        ? String.format(Locale.ROOT, "%.1f ms", value)
        : String.format(Locale.ROOT, "%,.0f ms", value);
  }

  private static void write(Path file, String table) throws IOException {
    Frame frame = frame(file);
    Files.writeString(file, frame.before() + table + frame.after());
  }

  /** What stands around the table of a file. */
  private record Frame(String before, String after) {}

  /** Fails when a file has no place for the table, which is better known before than after. */
  private static Frame frame(Path file) throws IOException {
    if (!Files.isRegularFile(file) || !Files.isWritable(file)) {
      throw fail(
          "--write " + file + ": not a file that can be written, such as docs/benchmarks.md");
    }
    String text = Files.readString(file);
    int from = text.indexOf(BEGIN);
    int to = text.indexOf(END);
    if (from < 0 || to < from) {
      throw fail(file + " has no place for the table between " + BEGIN.strip() + " and " + END);
    }
    return new Frame(text.substring(0, from + BEGIN.length()), text.substring(to));
  }
}
