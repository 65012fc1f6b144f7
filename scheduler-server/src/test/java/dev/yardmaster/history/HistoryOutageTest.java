package dev.yardmaster.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.text.JobId;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A history that cannot be written for a while is complete again after it, without a restart. */
class HistoryOutageTest {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

  @TempDir Path directory;

  @Test
  void whatHappenedWhileTheDiskFailedIsToldOnceItWorksAgain() throws Exception {
    try (Past past = Past.of(directory, present -> {})) {
      change("alter table change rename to away");
      past.controller
          .handle(new Command.Submit(TestCluster.ALICE, TestCluster.submission("hold")))
          .toCompletableFuture()
          .get();
      assertThatThrownBy(() -> stages(past))
          .isInstanceOf(NoSuchMomentException.class)
          .hasMessageContaining("the history ends with event")
          .hasMessageContaining("no such table");
      change("alter table away rename to change");
      long end = System.nanoTime() + PATIENCE;
      int stages = 0;
      while (stages == 0 && System.nanoTime() < end) {
        try {
          stages = stages(past);
        } catch (NoSuchMomentException e) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
      }
      assertThat(stages).isPositive();
    }
  }

  private static int stages(Past past) throws NoSuchMomentException {
    long present = past.controller.present().sequence();
    KnownJob job = past.history.job(JobId.parse("1"), present).orElseThrow();
    return past.history.of(job, present).stages().size();
  }

  private void change(String statement) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(HistoryFile.FILE));
        Statement change = connection.createStatement()) {
      change.execute(statement);
    }
  }
}
