package dev.yardmaster.server;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets SIGTERM and Ctrl+C stop a part cleanly. */
final class Stops {
  private static final long LONGEST_STOP_SECONDS = 20;

  private Stops() {}

  /** Lets signals stop the server; the process ends when it has closed. */
  static void on(RunningServer server) {
    CountDownLatch closed = new CountDownLatch(1);
    server.whenClosed(closed::countDown);
    on(server::askToStop, closed);
  }

  /**
   * Lets signals stop something.
   *
   * @param ask starts the stop, without waiting for it
   * @param closed opens when it has stopped; the process ends then
   */
  static void on(Runnable ask, CountDownLatch closed) {
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .unstarted(
                    () -> {
                      ask.run();
                      try {
                        closed.await(LONGEST_STOP_SECONDS, TimeUnit.SECONDS);
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      }
                    }));
  }
}
