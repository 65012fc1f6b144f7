package dev.yardmaster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs every scenario of the resources; what each line means is said in {@link Scenario}. */
class ScenarioTest {
  @TestFactory
  List<DynamicTest> scenarios() throws IOException, URISyntaxException {
    Path folder =
        Path.of(
            Objects.requireNonNull(ScenarioTest.class.getResource("/engine/scenarios")).toURI());
    try (Stream<Path> files = Files.list(folder)) {
      List<DynamicTest> tests =
          files
              .sorted()
              .map(f -> DynamicTest.dynamicTest(f.getFileName().toString(), () -> run(f)))
              .toList();
      assertThat(tests).isNotEmpty();
      return tests;
    }
  }

  private static void run(Path file) {
    try {
      Scenario.run(Files.readAllLines(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
