package dev.yardmaster.server;

import java.util.Map;

/** What the transport library need not find out in a process that makes one call and ends. */
final class QuickStart {
  private static final String TRANSPORT = "io.grpc.netty.shaded.io.netty.";

  /**
   * A hardware address is asked for only to name a process among many, and a machine without one
   * makes the library warn; flight recorder events, native event loops and pools pay off later than
   * a command lives.
   */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "machineId", "00:00:00:00:00:00:00:01",
          "processId", "1",
          "jfr.enabled", "false",
          "transport.noNative", "true",
          "eventLoopThreads", "1",
          "leakDetection.level", "disabled",
          "allocator.type", "unpooled");

  private QuickStart() {}

  /** Has an effect only before the first connection. */
  static void prepare() {
    SETTINGS.forEach(
        (key, value) -> {
          if (System.getProperty(TRANSPORT + key) == null) {
            System.setProperty(TRANSPORT + key, value);
          }
        });
  }
}
