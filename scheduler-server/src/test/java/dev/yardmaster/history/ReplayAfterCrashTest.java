package dev.yardmaster.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.CrashingServer;
import dev.yardmaster.engine.state.Moment;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.journal.SqliteJournal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a server under load told of its present, it tells again after it was killed. */
class ReplayAfterCrashTest {
  @TempDir Path directory;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void whatWasToldBeforeAKillIsToldAfterIt() throws Exception {
    List<String> told = new ArrayList<>();
    for (int round = 0; round < 2; round++) {
      told.addAll(runAndKill(1500));
    }
    assertThat(told).as("the server explained something in each run").hasSizeGreaterThan(20);
    try (SqliteJournal journal = SqliteJournal.open(directory)) {
      Rebuilder rebuilder = new Rebuilder(journal, null);
      for (String line : told.subList(Math.max(0, told.size() - 200), told.size())) {
        String[] words = line.split(" ", 5);
        Moment moment = rebuilder.at(Long.parseLong(words[2]));
        Explanation again =
            Past.explain(moment.state(), Integer.parseInt(words[1]), Instant.parse(words[3]));
        assertThat(again.toString()).as(line).isEqualTo(words[4]);
      }
    }
  }

  private List<String> runAndKill(long millis) throws IOException, InterruptedException {
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                CrashingServer.class.getName(),
                directory.toString(),
                "explain")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<String> told = new ArrayList<>();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
      String line = out.readLine();
      assertThat(line).isEqualTo("up");
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      while (line != null && (System.nanoTime() < end || told.size() < 15)) {
        if (line.startsWith("explained ")) {
          told.add(line);
        }
        line = out.readLine();
      }
    } finally {
      server.toHandle().destroyForcibly();
      server.waitFor();
    }
    return told;
  }
}
