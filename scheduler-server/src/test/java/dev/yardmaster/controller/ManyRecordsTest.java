package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.RecordQuery;
import dev.yardmaster.server.TestServer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ManyRecordsTest {
  private static final Instant NOW = Instant.parse("2026-12-01T10:00:00Z");
  private static final int JOBS = 3000;

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void moreRecordsThanAReaderTakesAtOnceComeWholeAndInOrder() throws Exception {
    ClusterConfig config = TestCluster.config(2, Map.of());
    VirtualController controller =
        new VirtualController(() -> config, new NodeLinks(), ZoneOffset.UTC, NOW);
    for (int i = 0; i < JOBS; i++) {
      Command submit =
          new Command.Submit(
              TestCluster.ALICE, TestCluster.submission("comment=" + "x".repeat(1000)));
      assertThat(controller.handle(submit).toCompletableFuture().join())
          .isInstanceOf(Reply.Submitted.class);
    }
    try (TestServer server = TestServer.of(controller, controller.clock(), ZoneOffset.UTC);
        SchedulerClient client =
            DefaultSchedulerClient.of(
                server.endpoint(), new Credential("root", 0, "root", 0, null))) {
      RecordQuery all =
          RecordQuery.window(null, NOW.plusSeconds(60)).withStates(List.of("PENDING"));
      List<JobRecord> records = client.records(all);
      assertThat(records).hasSize(JOBS);
      assertThat(records).extracting(r -> r.key().jobId()).isSorted();
    }
  }
}
