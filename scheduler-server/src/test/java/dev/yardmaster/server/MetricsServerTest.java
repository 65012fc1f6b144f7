package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.model.ClusterConfig;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MetricsServerTest {
  private final Lab lab = Lab.sixNodes();
  private final AtomicReference<String> trouble = new AtomicReference<>("");
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());

  private Metrics metrics() {
    lab.submit(JobSpec.job("first").nodes(4));
    lab.submit(JobSpec.job("second").nodes(3).exclusive());
    lab.pass();
    ScriptedController controller = new ScriptedController(lab.state());
    controller.trouble(trouble::get);
    Instant lastPass = controller.figures().lastPass();
    now.set(lastPass == null ? now.get() : lastPass);
    return new Metrics(controller, new RpcCounts(), () -> 0, now::get);
  }

  private static ClusterConfig config(int port) {
    return TestCluster.config(
        1,
        Map.of(
            "MetricsType", "metrics/openmetrics", "SlurmctldParameters", "metrics_port=" + port));
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void figuresAreServedInTheFormOfPrometheus() throws Exception {
    try (MetricsServer server =
        Objects.requireNonNull(MetricsServer.start(config(0), 1, metrics()))) {
      HttpResponse<String> answer = get(server.port(), "/metrics");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
      assertThat(answer.body())
          .contains("# TYPE yardmaster_jobs gauge\n")
          .contains("\nyardmaster_jobs{state=\"pending\"} 1\n")
          .contains("\nyardmaster_jobs{state=\"running\"} 1\n")
          .contains("\nyardmaster_nodes{state=\"idle\"} ")
          .contains("\nyardmaster_passes_total{kind=\"backfill\"} ");
      assertThat(answer.body().lines().filter(line -> !line.startsWith("#")))
          .allMatch(line -> line.matches("[a-z_]+(\\{[a-z]+=\"[A-Za-z_]+\"\\})? -?[0-9.]+"));
    }
  }

  @Test
  void healthSaysWhatIsWrong() throws Exception {
    try (MetricsServer server =
        Objects.requireNonNull(MetricsServer.start(config(0), 1, metrics()))) {
      assertThat(get(server.port(), "/health").body()).isEqualTo("ok\n");
      trouble.set("nothing can be accepted: the disk is full");
      assertThat(get(server.port(), "/health").body()).isEqualTo(trouble.get() + "\n");
      trouble.set("");
      now.set(now.get().plus(Duration.ofMinutes(11)));
      HttpResponse<String> ill = get(server.port(), "/health");
      assertThat(ill.statusCode()).isEqualTo(503);
      assertThat(ill.body()).isEqualTo("no scheduling pass ended for 660 s, and jobs wait\n");
    }
  }

  @Test
  void nothingIsServedUnlessTheConfigurationSaysSoAndATakenPortIsNamed() throws Exception {
    assertThat(MetricsServer.start(TestCluster.config(1, Map.of()), 1, metrics())).isNull();
    try (ServerSocket taken = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThatThrownBy(() -> MetricsServer.start(config(port), 1, metrics()))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("the metrics cannot be served on port " + port + ": ");
    }
  }

  /** The document lists the names that there are, and no others. */
  @Test
  void everyNameIsDocumented() throws IOException {
    Path document = Path.of("../docs/monitoring.md");
    List<String> documented = names(Files.readString(document), "`(yardmaster_[a-z_]+)");
    List<String> served = names(metrics().text(), "# TYPE (\\S+)");
    assertThat(documented).containsAll(served);
    assertThat(served).contains("yardmaster_jobs");
  }

  private static List<String> names(String text, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map((MatchResult m) -> m.group(1))
        .toList();
  }
}
