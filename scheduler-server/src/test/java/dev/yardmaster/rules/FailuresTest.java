package dev.yardmaster.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.LimitKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests and recorded cases that docs/failures.md and docs/proofs.md name are there. */
class FailuresTest {
  private static final Pattern NAMED =
      Pattern.compile("`([\\w-]+\\.txt|\\w+Test|[0-9]+[a-z]?-[\\w-]+)`");

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    Path root = Path.of("..");
    TreeSet<String> there = new TreeSet<>();
    for (String module : new String[] {"shared-model", "scheduler-server"}) {
      try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/test"))) {
        files.forEach(f -> there.add(f.getFileName().toString().replace(".java", "")));
      }
    }
    for (String document : new String[] {"docs/failures.md", "docs/proofs.md"}) {
      String text = Files.readString(root.resolve(document));
      TreeSet<String> named = new TreeSet<>();
      NAMED.matcher(text).results().map((MatchResult r) -> r.group(1)).forEach(named::add);
      assertThat(named).as(document).isNotEmpty().isSubsetOf(there);
    }
  }

  @Test
  void everyLimitHasALineWithItsProof() throws IOException {
    String text = Files.readString(Path.of("..", "docs", "proofs.md"));
    for (LimitKind kind : LimitKind.values()) {
      assertThat(text).contains("| " + kind.option() + " |");
    }
  }
}
