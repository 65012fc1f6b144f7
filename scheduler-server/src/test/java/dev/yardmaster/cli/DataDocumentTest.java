package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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

  /** All fields of Slurm's, in its order. */
  @ParameterizedTest
  @CsvSource({
    "job,squeue --json,jobs",
    "job,scontrol show job 2 --json,jobs",
    "node,scontrol show node n4 --json,nodes",
    "partition,scontrol show partition --json,partitions",
    "reservation,scontrol show reservation --json,reservations",
    "sinfo,sinfo --json,sinfo",
    "step,scontrol show step --json,steps",
  })
  void everyFieldIsThereInItsPlace(String kind, String line, String list) throws Exception {
    fill();
    lab.reserve("maint", lab.now().plusSeconds(1800), 60, "n[1-2]", "root", "MAINT");
    JsonNode first = read(serve(), line, new ObjectMapper()).get(list).get(0);
    List<String> fields = new ArrayList<>();
    fields(first, "", fields);
    assertThat(fields).isEqualTo(fieldsOf(kind));
  }

  private static void fields(JsonNode node, String before, List<String> to) {
    if (node.isArray() && !node.isEmpty() && node.get(0).isObject()) {
      fields(node.get(0), before, to);
    }
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      to.add(before + field.getKey());
      fields(field.getValue(), before + field.getKey() + ".", to);
    }
  }

  private static List<String> fieldsOf(String kind) throws IOException {
    Path file = Path.of("src/test/resources/cli-data-fields.txt");
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith(kind + ": "))
        .flatMap(line -> Stream.of(line.substring(kind.length() + 2).split(" ")))
        .toList();
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
  void theConfigurationIsDataWithATypeForEachKey() throws Exception {
    JsonNode all = read(serve(), "scontrol show config --json", new ObjectMapper());
    JsonNode conf = all.get("slurm_conf");
    assertThat(conf.size()).isEqualTo(ConfigList.lines("config-data.txt").size());
    assertThat(conf.get("ClusterName").asText()).isEqualTo("lab");
    assertThat(conf.get("KillWait").asInt()).isEqualTo(30);
    assertThat(conf.get("JobRequeue").isBoolean()).isTrue();
    assertThat(conf.get("DebugFlags").isArray()).isTrue();
    assertThat(conf.get("SuspendTime").get("infinite").asBoolean()).isTrue();
    assertThat(conf.get("controllers").isArray()).isTrue();
  }

  @Test
  void whatIsNotThereAsDataIsSaidSo() throws Exception {
    Captured command = serve();
    assertThat(command.run("scontrol", "show", "aliases", "--json")).isEqualTo(1);
    assertThat(command.err()).contains("not available yet as data");
  }
}
