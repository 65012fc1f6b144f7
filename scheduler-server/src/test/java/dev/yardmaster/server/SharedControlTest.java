package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.LostControlException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two controllers that see one state directory. */
class SharedControlTest {
  private static final List<Peers.Peer> BOTH =
      List.of(new Peers.Peer("one", "127.0.0.1"), new Peers.Peer("two", "127.0.0.2"));

  @TempDir private Path directory;

  private SharedControl control(int self, Duration silence) {
    return new SharedControl(
        new Peers("lab", BOTH, self, 1, silence, "root"),
        directory.resolve("slurm.conf"),
        directory);
  }

  private static CompletableFuture<Control.Term> awaiting(Control control) {
    CompletableFuture<Control.Term> term = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                term.complete(control.await());
              } catch (StartFailure | InterruptedException e) {
                term.completeExceptionally(e);
              }
            });
    return term;
  }

  private static Control.Term get(CompletableFuture<Control.Term> term) throws Exception {
    return term.get(20, TimeUnit.SECONDS);
  }

  @Test
  void aBackupWaitsForThePrimaryToGiveControlBack() throws Exception {
    try (Control primary = control(0, Duration.ofMinutes(2));
        Control backup = control(1, Duration.ofMinutes(2))) {
      Control.Term first = get(awaiting(primary));
      CompletableFuture<Control.Term> second = awaiting(backup);
      assertThatThrownBy(() -> second.get(600, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      first.journal().close();
      first.close(-1);
      Control.Term after = get(second);
      after.journal().close();
      after.close(-1);
    }
  }

  @Test
  void aBackupMakesNoStateOfItsOwn() throws Exception {
    try (Control backup = control(1, Duration.ofSeconds(1))) {
      CompletableFuture<Control.Term> term = awaiting(backup);
      assertThatThrownBy(() -> term.get(1500, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      backup.stop();
      assertThat(term.get(5, TimeUnit.SECONDS)).isNull();
    }
    assertThat(directory.resolve("journal.db")).doesNotExist();
  }

  @Test
  void controlIsTakenFromOneThatHangsAndItCanWriteNothingMore() throws Exception {
    try (Control primary = control(0, Duration.ofMinutes(2));
        Control backup = control(1, Duration.ofSeconds(1))) {
      Control.Term hanging = get(awaiting(primary));
      CompletableFuture<Void> lost = new CompletableFuture<>();
      // Its heartbeat cannot be written any more, as if its process had been stopped.
      Files.createDirectory(directory.resolve("heartbeat.0"));
      Control.Term taken = get(awaiting(backup));
      assertThatThrownBy(() -> hanging.journal().append(batch()))
          .isInstanceOf(LostControlException.class);
      hanging.whenLost(() -> lost.complete(null));
      lost.get(10, TimeUnit.SECONDS);
      taken.journal().append(batch());
      for (Control.Term term : List.of(hanging, taken)) {
        term.journal().close();
        term.close(-1);
      }
    }
  }

  private static List<Journal.Batch> batch() {
    return List.of(new Journal.Batch(List.of(), new TreeMap<>()));
  }
}
