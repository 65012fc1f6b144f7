package dev.yardmaster.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.Reason;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * State that an earlier release has written is read by this one. The file is never made anew: a
 * release that can no longer read it needs an upgrade in {@link Codec} or a default for what it has
 * added.
 */
class FrozenStateTest {
  @TempDir Path directory;

  @Test
  void stateOfFormOneIsRecovered() throws Exception {
    try (InputStream file = FrozenStateTest.class.getResourceAsStream("form-1.db")) {
      Files.copy(Objects.requireNonNull(file), directory.resolve(SqliteJournal.FILE));
    }
    try (Journal journal = SqliteJournal.open(directory)) {
      Journal.Recovered recovered = journal.recover().orElseThrow();
      assertThat(recovered.sequence()).isEqualTo(20);
      ClusterState state = recovered.state();
      Map<String, String> jobs =
          state.jobs().values().stream()
              .collect(
                  Collectors.toMap(
                      Job::displayId,
                      j -> j.state() + " " + j.reason(),
                      (a, b) -> a,
                      TreeMap::new));
      assertThat(jobs)
          .containsExactly(
              Map.entry("1", "RUNNING NONE"),
              Map.entry("2_4", "CANCELLED NONE"),
              Map.entry("2_[1-3,5-9%2]", "PENDING BEGIN_TIME"),
              Map.entry("3", "FAILED NON_ZERO_EXIT_CODE"),
              Map.entry("4", "PENDING DEPENDENCY"));
      Job running = Objects.requireNonNull(state.job(1));
      assertThat(running.name()).isEqualTo("größe");
      assertThat(Objects.requireNonNull(running.allocation()).nodes()).hasToString("n[1-2]");
      assertThat(Objects.requireNonNull(state.job(3)).exitCode()).isEqualTo(new ExitCode(3, 0));
      assertThat(Objects.requireNonNull(state.job(3)).state()).isEqualTo(JobState.FAILED);
      assertThat(Objects.requireNonNull(state.job(4)).reason()).isEqualTo(Reason.DEPENDENCY);
      assertThat(Objects.requireNonNull(state.node("n6")).status().has(NodeFlag.DRAIN)).isTrue();
      assertThat(state.reservations()).containsOnlyKeys("m");
      assertThat(journal.script(1))
          .contains(
              new JobScript(
                  "#!/bin/sh\ntrue\n", List.of("a b"), new TreeMap<>(Map.of("HOME", "/h"))));
    }
  }
}
