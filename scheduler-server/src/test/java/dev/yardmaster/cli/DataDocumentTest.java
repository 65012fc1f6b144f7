package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataDocumentTest extends CommandTestBase {
  @ParameterizedTest
  @CsvSource({
    "squeue,jobs,job_id",
    "sinfo,sinfo,partition",
    "scontrol show job,jobs,job_id",
    "scontrol show node,nodes,name",
    "scontrol show partition,partitions,name",
  })
  void jsonAndYamlSayTheSame(String line, String list, String key) throws Exception {
    fill();
    Captured command = serve();
    JsonNode json = read(command, line + " --json", new ObjectMapper());
    JsonNode yaml = read(command, line + " --yaml", new ObjectMapper(new YAMLFactory()));
    assertThat(json.get(list)).isNotEmpty().allSatisfy(one -> assertThat(one.has(key)).isTrue());
    assertThat(json.get("meta").get("plugin").get("data_parser").asText())
        .isEqualTo("data_parser/v0.0.43");
    assertThat(json.get("errors")).isEmpty();
    assertThat(yaml.get(list).toString()).isEqualTo(json.get(list).toString());
  }

  private static JsonNode read(Captured command, String line, ObjectMapper mapper)
      throws Exception {
    String[] words = line.split(" ");
    String[] rest = Arrays.copyOfRange(words, 1, words.length);
    assertThat(command.run(words[0], rest)).as(command.err()).isZero();
    return mapper.readTree(command.out());
  }

  @Test
  void aNodeSaysItsStatesItsPartitionsAndWhatIsFree() throws Exception {
    fill();
    JsonNode node =
        read(serve(), "scontrol show node n1 --json", new ObjectMapper()).get("nodes").get(0);
    assertThat(node.get("state").get(0).asText()).isEqualTo("ALLOCATED");
    assertThat(node.get("partitions").get(0).asText()).isEqualTo("main");
    assertThat(node.get("alloc_idle_cpus").asInt()).isZero();
  }

  @Test
  void stepsLicencesAndControllersAreDataToo() throws Exception {
    fill();
    Captured command = serve();
    ObjectMapper json = new ObjectMapper();
    JsonNode steps = read(command, "scontrol show step --json", json);
    assertThat(steps.get("steps").isArray()).isTrue();
    steps.get("steps").forEach(step -> assertThat(step.get("id").asText()).contains("."));
    assertThat(steps.get("last_update").get("number").asLong())
        .isEqualTo(lab.now().getEpochSecond());
    assertThat(read(command, "scontrol show license --json", json).get("licenses").size()).isZero();
    JsonNode ping = read(command, "scontrol ping --json", json).get("pings").get(0);
    assertThat(ping.get("hostname").asText()).isEqualTo("vm");
    assertThat(ping.get("responding").asBoolean()).isTrue();
    assertThat(ping.get("primary").asBoolean()).isTrue();
  }

  @Test
  void whatIsNotThereAsDataIsSaidSo() throws Exception {
    Captured command = serve();
    assertThat(command.run("scontrol", "show", "config", "--json")).isEqualTo(1);
    assertThat(command.err()).contains("not available yet as data");
  }
}
