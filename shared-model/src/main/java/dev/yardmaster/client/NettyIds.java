package dev.yardmaster.client;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Gives the network library the number that it otherwise makes of the addresses of network cards:
 * where there is none, as in a container with loopback alone, it complains on standard error. The
 * number names connections in its own messages and nothing else.
 */
public final class NettyIds {
  private static final int BYTES = 8;

  private NettyIds() {}

  /** To be called before the first connection; what is set already stays. */
  public static void prepare() {
    String name = "io.grpc.netty.shaded.io.netty.machineId";
    if (System.getProperty(name) == null) {
      byte[] number = new byte[BYTES];
      ThreadLocalRandom.current().nextBytes(number);
      System.setProperty(name, HexFormat.ofDelimiter(":").formatHex(number));
    }
  }
}
