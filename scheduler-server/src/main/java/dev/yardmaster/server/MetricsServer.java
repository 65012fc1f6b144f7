package dev.yardmaster.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.yardmaster.model.ClusterConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves figures to Prometheus and health to watchdogs over HTTP on loopback: {@code
 * MetricsType=metrics/openmetrics}, on {@code SlurmctldParameters=metrics_port=PORT} or 200 above
 * SlurmctldPort. What it tells are counts, of nobody in particular.
 */
final class MetricsServer implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("(?:^|,)\\s*metrics_port=([0-9]{1,5})");
  private static final int OFFSET = 200;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private MetricsServer(HttpServer server, Metrics metrics) {
    this.server = server;
    server.setExecutor(threads);
    server.createContext("/metrics", exchange -> answer(exchange, 200, metrics.text()));
    server.createContext(
        "/health",
        exchange -> {
          List<String> problems = metrics.problems();
          answer(
              exchange,
              problems.isEmpty() ? 200 : 503,
              (problems.isEmpty() ? "ok" : String.join("\n", problems)) + "\n");
        });
    server.start();
  }

  /**
   * Starts to listen where the configuration asks for it.
   *
   * @param port of the controller
   * @return null where it does not
   * @throws IOException with a line that names the port
   */
  static @Nullable MetricsServer start(ClusterConfig config, int port, Metrics metrics)
      throws IOException {
    if (!config.setting("MetricsType").orElse("").equalsIgnoreCase("metrics/openmetrics")) {
      return null;
    }
    Matcher own = PORT.matcher(config.setting("SlurmctldParameters").orElse(""));
    int chosen = own.find() ? Integer.parseInt(own.group(1)) : port + OFFSET;
    try {
      return new MetricsServer(
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), chosen), 16),
          metrics);
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException(
          "the metrics cannot be served on port "
              + chosen
              + ": "
              + e.getMessage()
              + "; SlurmctldParameters=metrics_port=PORT chooses another",
          e);
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    try (exchange) {
      byte[] body = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
