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
    "sacctmgr show user,users,name",
    "sacctmgr show qos,qos,limits",
    "sacctmgr show assoc,associations,lineage",
    "sacctmgr show account,accounts,organization",
    "sacctmgr show tres,TRES,type",
  })
  void jsonAndYamlSayTheSame(String line, String list, String key) throws Exception {
    fill();
    Captured command = serve();
    JsonNode json = read(command, line + " --json", new ObjectMapper());
    JsonNode yaml = read(command, line + " --yaml", new ObjectMapper(new YAMLFactory()));
    assertThat(json.get(list)).isNotEmpty().allSatisfy(one -> assertThat(one.has(key)).isTrue());
    assertThat(json.get("meta").get("plugin").get("data_parser").asText())
        .isEqualTo("data_parser/v0.0.46");
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
  void whatSlurmDoesNotTellAsDataIsToldAsText() throws Exception {
    Captured command = serve();
    assertThat(command.run("scontrol", "show", "daemons", "--json=foo")).isZero();
    assertThat(command.out()).isEqualTo("slurmctld\n");
  }

  @Test
  void theLayoutIsThatOfSlurm() throws Exception {
    Captured command = serve();
    assertThat(command.run("squeue", "--json")).isZero();
    assertThat(command.out())
        .startsWith("{\n  \"jobs\": [\n  ],\n  \"last_backfill\": {\n    \"set\": ")
        .contains("\"data_parser\": \"data_parser\\/v0.0.46\",\n")
        .contains("    \"command\": [\n      \"squeue\",\n      \"--json\"\n    ],\n")
        .endsWith("  \"errors\": [\n  ],\n  \"warnings\": [\n  ]\n}\n");
  }

  @ParameterizedTest
  @CsvSource({
    "squeue,1",
    "sinfo,1",
    "sacct,1",
    "sdiag,1",
    "sshare,1",
    "sacctmgr show user,1",
    "scontrol show job,1",
    "scontrol show partition,255",
    "scontrol ping,253",
  })
  void parsersAreThoseOfSlurm(String line, int exitCode) throws Exception {
    Captured command = serve();
    String[] words = (line + " --json=list").split(" ");
    String[] rest = Arrays.copyOfRange(words, 1, words.length);
    assertThat(command.run(words[0], rest)).isZero();
    assertThat(command.out())
        .isEqualTo(
            "Possible data_parser plugins:\ndata_parser/v0.0.43\ndata_parser/v0.0.45\n"
                + "data_parser/v0.0.44\ndata_parser/v0.0.46\n");
    rest[rest.length - 1] = "--json=v0.0.40";
    assertThat(command.run(words[0], rest)).isEqualTo(exitCode);
    assertThat(command.err())
        .contains(": error: load_plugins: unable to find plugin: data_parser/v0.0.40\n")
        .contains("application/json output not supported by data_parser/v0.0.46\n");
    rest[rest.length - 1] = "--json=v0.0.45+foo";
    assertThat(command.run(words[0], rest)).isZero();
    assertThat(command.err())
        .isEqualTo(words[0] + ": warning: data_parser/v0.0.45 ignoring unknown flag foo\n");
    assertThat(command.out()).contains("\"data_parser\": \"data_parser\\/v0.0.45+foo\"");
  }

  @Test
  void olderParsersKnowNoConfiguration() throws Exception {
    Captured command = serve();
    assertThat(command.run("scontrol", "show", "config", "--json=v0.0.44")).isEqualTo(244);
    assertThat(command.out() + command.err()).isEmpty();
  }

  @Test
  void sharesAreDataToo() throws Exception {
    JsonNode all = read(serve(), "sshare -a --json", new ObjectMapper());
    JsonNode root = all.get("shares").get("shares").get(0);
    List<String> fields = new ArrayList<>();
    root.fieldNames().forEachRemaining(fields::add);
    assertThat(fields)
        .containsExactly(
            "id",
            "cluster",
            "name",
            "parent",
            "partition",
            "shares_normalized",
            "shares",
            "tres",
            "effective_usage",
            "usage_normalized",
            "usage",
            "fairshare",
            "type");
    assertThat(root.get("name").asText()).isEqualTo("root");
    assertThat(root.get("shares").get("set").asBoolean()).isFalse();
    assertThat(root.get("type").get(0).asText()).isEqualTo("ASSOCIATION");
    assertThat(root.get("tres").get("usage").get(0).get("name").asText()).isEqualTo("cpu");
  }
}
