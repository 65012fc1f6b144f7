package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No test fails because what it left behind still writes, or leaves it running for good. */
class LeftoversTest {
  private static final List<ProcessHandle> LEFT = new ArrayList<>();
  private static final List<Path> DIRECTORIES = new ArrayList<>();

  @TempDir Path directory;

  /** Is there before JUnit deletes the directory, and is not waited for. */
  @AfterEach
  void remember() {
    DIRECTORIES.add(directory);
  }

  @AfterAll
  static void nothingIsLeft() {
    assertThat(LEFT).isNotEmpty().noneMatch(ProcessHandle::isAlive);
    assertThat(DIRECTORIES).isNotEmpty().noneMatch(Files::exists);
  }

  private static void begin(Path home, String script, String... arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of("setsid", "sh", "-c", script, "sh"));
    words.addAll(List.of(arguments));
    Process process = new ProcessBuilder(words).directory(home.toFile()).start();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      LEFT.add(ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow());
    }
  }

  @RepeatedTest(3)
  void whatStillWritesIsEndedBeforeTheDirectoryIsDeleted() throws Exception {
    String script = "echo $$; exec >&-; i=0; while :; do i=$((i+1)); : > \"$1/$i\"; done";
    begin(Path.of("/"), script, directory.toString());
  }

  @Test
  void alsoWhatHasLeftItsSessionAndItsParent() throws Exception {
    String script =
        "(setsid sh -c 'echo $$; exec >&-; mkdir below; cd below;"
            + " i=0; while :; do i=$((i+1)); : > $i; done' &)";
    begin(directory, script);
  }

  @Test
  void aNeighbourWhoseNameBeginsAlikeIsLeftAlone() throws Exception {
    Path one = Files.createDirectory(directory.resolve("a1"));
    begin(
        Path.of("/"),
        "echo $$; exec >&-; exec env HOME=\"$1\" sleep 100",
        one.resolve("x").toString());
    assertThat(Leftovers.of(directory.resolve("a"))).isEmpty();
    assertThat(Leftovers.of(one)).isNotEmpty();
  }
}
