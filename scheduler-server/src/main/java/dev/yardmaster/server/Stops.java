package dev.yardmaster.server;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets SIGTERM and Ctrl+C stop a server cleanly. */
final class Stops {
  private static final long LONGEST_STOP_SECONDS = 20;

  private Stops() {}

  /** Lets signals stop the server; the process ends when it has closed. */
  static void on(RunningServer server) {
    CountDownLatch closed = new CountDownLatch(1);
    server.whenClosed(closed::countDown);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .unstarted(
                    () -> {
                      server.askToStop();
                      try {
                        closed.await(LONGEST_STOP_SECONDS, TimeUnit.SECONDS);
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      }
                    }));
  }
}
