package dev.yardmaster.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests that docs/failures.md names are there. */
class FailuresTest {
  private static final Pattern NAMED = Pattern.compile("`([\\w-]+\\.txt|\\w+Test)`");

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    Path root = Path.of("..");
    TreeSet<String> there = new TreeSet<>();
    for (String module : new String[] {"shared-model", "scheduler-server"}) {
      try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/test"))) {
        files.forEach(f -> there.add(f.getFileName().toString().replace(".java", "")));
      }
    }
    String text = Files.readString(root.resolve("docs/failures.md"));
    TreeSet<String> named = new TreeSet<>();
    NAMED.matcher(text).results().map((MatchResult r) -> r.group(1)).forEach(named::add);
    assertThat(named).isNotEmpty().isSubsetOf(there);
  }
}
