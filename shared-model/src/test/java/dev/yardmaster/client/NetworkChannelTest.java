package dev.yardmaster.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ConnectivityState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class NetworkChannelTest {
  private static final int TIMES = 200;

  @Test
  void oneThatIsClosedWhileItConnectsSaysNothing() throws IOException {
    List<String> said = new CopyOnWriteArrayList<>();
    Handler listener =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            said.add(entry.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("io.grpc.netty.shaded.io.netty");
    logger.addHandler(listener);
    try (ServerSocket server = new ServerSocket(0, TIMES, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < TIMES; i++) {
        try (NetworkChannel channel =
            new NetworkChannel(new Endpoint("127.0.0.1", server.getLocalPort()))) {
          assertThat(channel.calls().getState(true)).isNotEqualTo(ConnectivityState.SHUTDOWN);
        }
      }
    } finally {
      logger.removeHandler(listener);
    }
    assertThat(said).isEmpty();
  }
}
