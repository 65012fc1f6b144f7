package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunDirectoryTest {
  @TempDir private Path spool;

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 970, 999})
  void killWaitIsNeverCutShortByWhatIsKept(long millis) throws Exception {
    RunDirectory directory = RunDirectory.of(spool, new Command.RunningJob(7, 0));
    Files.createDirectories(directory.path());
    Instant since = Instant.ofEpochSecond(1_800_000_000).plusMillis(millis);
    directory.saveTermination(new RunDirectory.Termination(since, 30));
    Instant killAt = directory.termination().orElseThrow().killAt();
    assertThat(killAt).isBetween(since.plusSeconds(30), since.plusSeconds(31));
  }
}
