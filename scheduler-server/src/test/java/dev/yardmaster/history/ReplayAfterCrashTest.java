package dev.yardmaster.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.CrashingProcess;
import dev.yardmaster.engine.state.Moment;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.journal.SqliteJournal;
import java.io.IOException;
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
    List<String> told = new ArrayList<>();
    try (CrashingProcess server = CrashingProcess.start(directory, "explain")) {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      String line = server.line();
      while (line != null && (System.nanoTime() < end || told.size() < 15)) {
        if (line.startsWith("explained ")) {
          told.add(line);
        }
        line = server.line();
      }
    }
    return told;
  }
}
