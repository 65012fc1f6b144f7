package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SdiagTest extends CommandTestBase {
  private static final List<String> SECTIONS =
      List.of(
          "Server thread count:",
          "Jobs submitted:",
          "Jobs pending:",
          "Main schedule statistics (microseconds):",
          "Main scheduler exit:",
          "Backfilling stats",
          "Backfill exit",
          "Remote Procedure Call statistics by message type",
          "Remote Procedure Call statistics by user",
          "Pending RPC statistics");

  @Test
  void everySectionIsThereInOrder() throws IOException {
    Captured sdiag = serve();
    assertThat(sdiag.run("sdiag")).isZero();
    int at = -1;
    for (String section : SECTIONS) {
      assertThat(sdiag.out().indexOf(section)).as(section).isGreaterThan(at);
      at = sdiag.out().indexOf(section);
    }
  }

  @Test
  void whatWasAskedIsCountedByKindAndByUser() throws IOException {
    Captured sdiag = serve();
    sdiag.as("alice", 1001).run("squeue");
    sdiag.run("squeue");
    sdiag.run("sinfo");
    sdiag.run("sdiag");
    assertThat(sdiag.out())
        .containsPattern("REQUEST_JOB_INFO {24}\\( 2003\\) count:[0-9]+")
        .containsPattern("alice {11}\\( {4}1001\\) count:[1-9]");
  }

  @Test
  void rootBeginsToCountAnewAndOthersDoNot() throws IOException {
    Captured sdiag = serve();
    assertThat(sdiag.as("alice", 1001).run("sdiag", "-r")).isEqualTo(1);
    assertThat(sdiag.err()).startsWith("slurm_reset_statistics: Access/permission denied");
    assertThat(sdiag.as("root", 0).run("sdiag", "--reset")).isZero();
    assertThat(sdiag.out()).isEqualTo("Reset scheduling statistics\n");
    sdiag.run("sdiag");
    assertThat(sdiag.out()).doesNotContain("alice");
  }

  @Test
  void theOrderOfRequestsCanBeChosen() throws IOException {
    Captured sdiag = serve();
    sdiag.run("squeue");
    sdiag.run("scontrol", "ping");
    sdiag.run("scontrol", "show", "config");
    sdiag.run("sdiag", "-i");
    assertThat(sdiag.out().indexOf("( 1008)")).isBetween(0, sdiag.out().indexOf("( 2001)"));
  }

  @Test
  void theSameIsThereAsData() throws IOException {
    Captured sdiag = serve();
    sdiag.run("squeue");
    assertThat(sdiag.run("sdiag", "--json")).isZero();
    JsonNode root = new ObjectMapper().readTree(sdiag.out());
    JsonNode statistics = root.get("statistics");
    assertThat(statistics.get("req_time").get("number").asLong()).isPositive();
    assertThat(statistics.get("schedule_exit").has("default_queue_depth")).isTrue();
    assertThat(statistics.get("bf_exit").has("bf_node_space_size")).isTrue();
    assertThat(statistics.get("rpcs_by_message_type").findValuesAsText("message_type"))
        .contains("REQUEST_JOB_INFO");
    assertThat(statistics.get("rpcs_by_user").isEmpty()).isFalse();
    assertThat(root.get("meta").get("command").get(1).asText()).isEqualTo("--json");
    assertThat(sdiag.run("sdiag", "--yaml")).isZero();
    assertThat(sdiag.out()).contains("statistics:").contains("jobs_submitted: 0");
    assertThat(sdiag.run("sdiag", "--json=nosuch")).isEqualTo(1);
    assertThat(sdiag.err()).startsWith("sdiag: error: load_plugins: unable to find plugin");
  }
}
