package dev.yardmaster.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Agreement with a real Slurm, case by case. The file {@code open.txt} of a case lists what does
 * not agree yet: more fails the test, and so does a line that has come to agree. {@code
 * -Dgolden.rewrite=true} writes these files, and the table in docs/agreement.md, anew. Both values
 * of each difference, and what each command printed, are in target/golden. {@code
 * -Dgolden.cases=FOLDER} with {@code -Dgolden.only=PREFIX,…} plays cases that lie elsewhere.
 */
class GoldenTest {
  private static final Path CASES =
      Path.of(System.getProperty("golden.cases", "src/test/resources/golden"));
  private static final Path TABLE = Path.of("..", "docs", "agreement.md");
  private static final Path REPORTS = Path.of("target", "golden");
  private static final boolean REWRITE = Boolean.getBoolean("golden.rewrite");
  private static final String ONLY = System.getProperty("golden.only", "");
  private static final Map<String, Agreement> RESULTS = new LinkedHashMap<>();

  @TempDir private static Path folder;

  @TestFactory
  Stream<DynamicTest> everyCaseAgreesButForWhatItsLedgerSays() throws IOException {
    try (Stream<Path> cases = Files.list(CASES)) {
      return cases
          .filter(Files::isDirectory)
          .filter(c -> isWanted(String.valueOf(c.getFileName())))
          .sorted()
          .toList()
          .stream()
          .map(c -> DynamicTest.dynamicTest(String.valueOf(c.getFileName()), () -> play(c)));
    }
  }

  private static boolean isWanted(String name) {
    return Arrays.stream(ONLY.split(",")).anyMatch(name::startsWith);
  }

  private static void play(Path directory) throws IOException {
    GoldenCase golden = GoldenCase.read(directory);
    Agreement agreement;
    Files.createDirectories(REPORTS);
    try (Playback playback = new Playback(golden, folder.resolve(golden.name()))) {
      agreement = playback.play();
      Files.writeString(REPORTS.resolve(golden.name() + ".out"), playback.said());
    }
    RESULTS.put(golden.name(), agreement);
    Files.writeString(REPORTS.resolve(golden.name() + ".txt"), agreement.report());
    Path ledger = directory.resolve("open.txt");
    if (REWRITE) {
      write(ledger, agreement.differing());
      return;
    }
    List<String> open = Files.exists(ledger) ? Files.readAllLines(ledger) : List.of();
    List<String> news = new ArrayList<>(agreement.differing());
    news.removeAll(open);
    assertThat(news).as("differs from Slurm, and %s does not list it", ledger).isEmpty();
    List<String> agreed = new ArrayList<>(open);
    agreed.removeAll(agreement.differing());
    assertThat(agreed).as("agrees with Slurm by now; remove these lines from %s", ledger).isEmpty();
  }

  private static void write(Path ledger, List<String> lines) throws IOException {
    if (lines.isEmpty()) {
      Files.deleteIfExists(ledger);
    } else {
      Files.write(ledger, lines);
    }
  }

  @AfterAll
  static void theTableSaysTheSame() throws IOException {
    if (!ONLY.isEmpty()) {
      return;
    }
    String table = table();
    if (REWRITE) {
      Files.writeString(TABLE, table);
    }
    assertThat(TABLE).as("-Dgolden.rewrite=true writes it anew").hasContent(table);
  }

  private static String table() {
    StringBuilder text =
        new StringBuilder(
            """
            # Agreement with Slurm

            What a real Slurm did in these situations is played again by the tests: the same \
            configuration files, the same commands at the same times, in virtual time. Compared are \
            the state, reason, nodes, planned nodes and start, limit, priority, resources and GPU \
            indices of each job at each snapshot, states of nodes, reservations, shares, and the \
            exit code and text of each command. `open.txt` beside a case lists what does not agree \
            yet; `~` in place of a value stands for what a real Slurm shows by chance, as the mark \
            RESERVED of a node, which its controller sets each 5 s and here stands at once. This \
            table is written by the tests.

            | case | agree | of | |
            |---|---:|---:|---:|
            """);
    int total = 0;
    int open = 0;
    for (Map.Entry<String, Agreement> result : RESULTS.entrySet()) {
      int all = result.getValue().total();
      int differing = result.getValue().differing().size();
      text.append(row(result.getKey(), all, differing));
      total += all;
      open += differing;
    }
    return text.append(row("**all**", total, open)).toString();
  }

  private static String row(String name, int total, int open) {
    long percent = total == 0 ? 100 : Math.floorDiv(100L * (total - open), total);
    return "| %s | %d | %d | %d %% |%n".formatted(name, total - open, total, percent);
  }
}
