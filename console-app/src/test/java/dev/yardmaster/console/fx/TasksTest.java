package dev.yardmaster.console.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javafx.application.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.framework.junit5.ApplicationExtension;

@ExtendWith(ApplicationExtension.class)
@Timeout(30)
class TasksTest {
  private final Tasks tasks = Tasks.onVirtualThreads();

  @Test
  void workRunsElsewhereAndItsResultComesBackOnTheFxThread() throws Exception {
    CompletableFuture<List<Boolean>> result = new CompletableFuture<>();
    Fx.run(
        () ->
            tasks
                .quietly(p -> Platform.isFxApplicationThread())
                .onSuccess(
                    onFx -> result.complete(List.of(onFx, Platform.isFxApplicationThread()))));

    assertThat(result.get()).containsExactly(false, true);
  }

  @Test
  void startedWorkIsListedUntilItEnds() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CompletableFuture<Integer> sizeWhileRunning = new CompletableFuture<>();
    CompletableFuture<Integer> sizeAfter = new CompletableFuture<>();
    Fx.run(
        () -> {
          tasks
              .start("Reading", p -> release.await(20, TimeUnit.SECONDS))
              .onSuccess(done -> sizeAfter.complete(tasks.running().size()));
          sizeWhileRunning.complete(tasks.running().size());
        });

    assertThat(sizeWhileRunning.get()).isEqualTo(1);
    release.countDown();
    assertThat(sizeAfter.get()).isZero();
  }

  @Test
  void cancellingInterruptsTheWorkAndDropsItsResult() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    List<Object> results = new ArrayList<>();
    CompletableFuture<BackgroundTask<Boolean>> handle = new CompletableFuture<>();
    Fx.run(
        () ->
            handle.complete(
                tasks
                    .<Boolean>quietly(
                        p -> {
                          started.countDown();
                          try {
                            return new CountDownLatch(1).await(20, TimeUnit.SECONDS);
                          } catch (InterruptedException e) {
                            interrupted.complete(p.isCancelled());
                            return true;
                          }
                        })
                    .onSuccess(results::add)));
    started.await();
    Fx.run(() -> handle.join().cancel());

    assertThat(interrupted.get()).isTrue();
    assertThat(afterFxQueue(() -> handle.join().stateProperty().get()))
        .isEqualTo(BackgroundTask.State.CANCELLED);
    assertThat(results).isEmpty();
  }

  @Test
  void aFailureIsGivenToItsCallback() throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Fx.run(
        () ->
            tasks
                .quietly(
                    p -> {
                      throw new IllegalStateException("no such file");
                    })
                .onFailure(failure::complete));

    assertThat(failure.get()).hasMessage("no such file");
  }

  @Test
  void onTheSameThreadEverythingHasHappenedWhenTheCallReturns() {
    List<String> results = new ArrayList<>();
    Tasks.sameThread().quietly(p -> "done").onSuccess(results::add);

    assertThat(results).containsExactly("done");
  }

  @Test
  void onlyTheNewestOfSeveralSearchesIsDelivered() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    CompletableFuture<String> first = new CompletableFuture<>();
    List<String> delivered = new ArrayList<>();
    Fx.run(
        () -> {
          Latest latest = new Latest(tasks);
          latest.run(
              p -> {
                slow.await();
                return "old";
              },
              delivered::add);
          latest.run(
              p -> "new",
              value -> {
                delivered.add(value);
                first.complete(value);
              });
        });

    assertThat(first.get()).isEqualTo("new");
    slow.countDown();
    assertThat(afterFxQueue(() -> List.copyOf(delivered))).containsExactly("new");
  }

  @Test
  void theWatchdogSeesABlockedFxThread() throws Exception {
    try (FxWatchdog watchdog = FxWatchdog.start(Duration.ofMillis(1))) {
      CountDownLatch blocked = new CountDownLatch(1);
      Fx.later(
          () -> {
            long end = System.nanoTime() + 80_000_000;
            while (System.nanoTime() < end) {
              Thread.onSpinWait();
            }
            blocked.countDown();
          });
      blocked.await();
      CompletableFuture<Duration> worst = new CompletableFuture<>();
      // The answer that was kept waiting is counted before the next question is asked.
      while (watchdog.worst().compareTo(Duration.ofMillis(60)) < 0) {
        Thread.onSpinWait();
      }
      worst.complete(watchdog.worst());
      assertThat(worst.get()).isGreaterThanOrEqualTo(Duration.ofMillis(60));
    }
  }

  private static <T> T afterFxQueue(java.util.function.Supplier<T> value) throws Exception {
    CompletableFuture<T> result = new CompletableFuture<>();
    Fx.later(() -> result.complete(value.get()));
    return result.get();
  }
}
