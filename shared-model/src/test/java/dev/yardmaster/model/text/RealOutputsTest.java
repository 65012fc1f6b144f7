package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.yardmaster.model.NodeFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What real installations printed is read, and printed again as it was. Skipped where the files are
 * not at hand.
 */
class RealOutputsTest {
  private static final Path SHARED = Path.of("../../shared");
  private static final Path OUTPUTS = SHARED.resolve("data/outputs");
  private static final ZoneId ZONE = ZoneId.of("UTC");

  private static final List<String> RECORD_STARTS =
      List.of("JobId=", "NodeName=", "PartitionName=", "ReservationName=");

  /** How a value is read and printed again, by key of scontrol. */
  private static final Map<String, UnaryOperator<String>> BY_KEY =
      Map.ofEntries(
          Map.entry("ReqTRES", s -> TresList.parse(s).toString()),
          Map.entry("AllocTRES", s -> TresList.parse(s).toString()),
          Map.entry("CfgTRES", s -> TresList.parse(s).toString()),
          Map.entry("GresUsed", s -> GresList.parse(s).toString()),
          Map.entry("TresPerNode", RealOutputsTest::request),
          Map.entry("TresPerJob", RealOutputsTest::request),
          Map.entry("NodeList", s -> HostList.parse(s).toString()),
          Map.entry("ReqNodeList", s -> HostList.parse(s).toString()),
          Map.entry("ExcNodeList", s -> HostList.parse(s).toString()),
          Map.entry("Nodes", s -> HostList.parse(s).toString()),
          Map.entry("TimeLimit", s -> TimeLimits.format(TimeLimits.parseSeconds(s))),
          Map.entry("RunTime", s -> TimeLimits.format(TimeLimits.parseSeconds(s))),
          Map.entry("MaxTime", s -> TimeLimits.format(TimeLimits.parseSeconds(s))),
          Map.entry("DefaultTime", s -> TimeLimits.format(TimeLimits.parseSeconds(s))),
          Map.entry("Duration", s -> TimeLimits.format(TimeLimits.parseSeconds(s))),
          Map.entry("ArrayTaskId", s -> ArraySpec.parse(s).toString()),
          Map.entry("Dependency", s -> Dependency.parse(s).toString()),
          Map.entry("MinMemoryNode", s -> Memory.format(Memory.parse(s))),
          Map.entry("MinMemoryCPU", s -> Memory.format(Memory.parse(s))),
          Map.entry(
              "StartTime",
              s -> Instants.format(Instants.parseReported(s, ZONE).orElseThrow(), ZONE)),
          Map.entry(
              "SubmitTime",
              s -> Instants.format(Instants.parseReported(s, ZONE).orElseThrow(), ZONE)),
          Map.entry("JobState", s -> JobStateText.parse(s).toString()));

  @BeforeEach
  void filesAreAtHand() {
    assumeThat(OUTPUTS).isDirectory();
  }

  @Test
  void whatScontrolPrintedIsPrintedAgain() throws IOException {
    int values = 0;
    for (Path file : transcripts()) {
      for (Map<String, String> record : records(file)) {
        for (Map.Entry<String, String> field : record.entrySet()) {
          UnaryOperator<String> again = BY_KEY.get(field.getKey());
          String value = field.getValue().strip();
          if (again != null && isValue(value)) {
            String printed = again.apply(value);
            if (!printed.equals(value)) {
              fail("%s in %s is printed as %s", field, file, printed);
            }
            values++;
          }
        }
      }
    }
    assertThat(values).isGreaterThan(20_000);
  }

  @Test
  void whatSqueuePrintedIsPrintedAgain() throws IOException {
    int jobs = 0;
    for (Path file : files(SHARED.resolve("golden"), "squeue.txt")) {
      List<String> lines = Files.readAllLines(file);
      String header = lines.isEmpty() ? "" : lines.getFirst();
      for (String line : lines) {
        boolean ascii = line.chars().allMatch(c -> c < 128);
        if (!header.startsWith("JOBID ") || line.equals(header) || !ascii) {
          continue;
        }
        String id = column(header, line, "JOBID ");
        // A job name with a line break, or an id that the column cut, spoils its line.
        boolean cut = id.contains("[") && !id.endsWith("]");
        if (cut || !Character.isDigit(line.charAt(0)) || line.length() < header.indexOf("NODES ")) {
          continue;
        }
        String state = column(header, line, "ST ");
        assertThat(JobId.parse(id)).hasToString(id);
        assertThat(JobStateText.parse(state).code()).isEqualTo(state);
        for (String name : List.of("TIME ", "TIME_LIMIT ")) {
          String time = column(header, line, name);
          assertThat(TimeLimits.formatSqueue(TimeLimits.parseSeconds(time))).isEqualTo(time);
        }
        jobs++;
      }
    }
    assertThat(jobs).isGreaterThan(1000);
  }

  /** The cell from its heading up to the next one; the first heading of that name counts. */
  private static String column(String header, String line, String heading) {
    int at = header.startsWith(heading) ? 0 : header.indexOf(" " + heading) + 1;
    int end = at + heading.length();
    while (end < header.length() && header.charAt(end) == ' ') {
      end++;
    }
    return line.substring(at, Math.min(end, line.length())).strip();
  }

  @Test
  void statesOfNodesAreReadWhole() throws IOException {
    int nodes = 0;
    for (Path file : transcripts()) {
      for (Map<String, String> record : records(file)) {
        if (record.containsKey("NodeName") && record.containsKey("CoresPerSocket")) {
          String text = record.getOrDefault("State", "").strip();
          NodeStateText state = NodeStateText.parse(text);
          assertThat(state.unknown()).as(text).isEmpty();
          assertThat(state).hasToString(text);
          nodes++;
        }
      }
    }
    assertThat(nodes).isGreaterThan(500);
  }

  @Test
  void theWordOfSinfoFollowsFromTheStateOfScontrol() throws IOException {
    int compared = 0;
    for (Path file : files(SHARED.resolve("golden"), "scontrol_nodes.txt")) {
      var states = new HashMap<String, NodeStateText>();
      for (Map<String, String> node : records(file)) {
        states.put(
            node.getOrDefault("NodeName", ""),
            NodeStateText.parse(node.getOrDefault("State", "").strip()));
      }
      for (String line : Files.readAllLines(file.resolveSibling("sinfo.txt"))) {
        String[] columns = line.split(" +");
        boolean summary = columns.length == 6 && columns[1].equals("up");
        boolean single = columns.length > 9 && columns[1].equals("1");
        if (summary) {
          assertThat(TimeLimits.formatSinfo(TimeLimits.parseSeconds(columns[2])))
              .isEqualTo(columns[2]);
        }
        String names = summary ? columns[5] : single ? columns[0] : "";
        for (String name : HostList.parse(names)) {
          NodeStateText state = states.get(name);
          if (state != null) {
            assertThat(summary ? state.sinfo() : state.sinfoLong())
                .as("%s %s in %s", name, state, file)
                .isEqualTo(columns[summary ? 4 : 3]);
            compared++;
          }
        }
      }
    }
    assertThat(compared).isGreaterThan(2000);
  }

  @Test
  void nodesOfTheRestInterfaceAreRead() throws IOException {
    int nodes = 0;
    for (Path file : files(OUTPUTS, ".json")) {
      for (JsonNode node : new ObjectMapper().readTree(file.toFile()).path("nodes")) {
        if (!node.has("gres_used")) {
          continue;
        }
        NodeStateText state = NodeStateText.fromJson(strings(node.path("state")), List.of());
        assertThat(state.unknown()).as(file.toString()).isEmpty();
        if (strings(node.path("state")).contains("DRAIN")) {
          assertThat(state.has(NodeFlag.DRAIN)).isTrue();
          assertThat(state.isUsable()).isFalse();
        }
        GresList gres = GresList.parse(node.path("gres").asText());
        GresList used = GresList.parse(node.path("gres_used").asText());
        assertThat(used.count("gpu")).isBetween(0L, gres.count("gpu"));
        assertThat(used).hasToString(node.path("gres_used").asText());
        assertThat(TresList.parse(node.path("tres").asText()).gres("gpu"))
            .isIn(0L, gres.count("gpu"));
        nodes++;
      }
    }
    assertThat(nodes).isGreaterThan(20);
  }

  @Test
  void jobsOfTheRestInterfaceAreRead() throws IOException {
    int jobs = 0;
    for (Path file : files(OUTPUTS, ".json")) {
      for (JsonNode job : new ObjectMapper().readTree(file.toFile()).path("jobs")) {
        if (!job.has("tres_req_str")) {
          continue;
        }
        JobStateText state = JobStateText.fromJson(strings(job.path("job_state")));
        assertThat(state.base()).as(file.toString()).isNotNull();
        assertThat(state.unknown()).isEmpty();
        for (String key : List.of("tres_req_str", "tres_alloc_str")) {
          assertThat(TresList.parse(job.path(key).asText())).hasToString(job.path(key).asText());
        }
        assertThat(HostList.parse(job.path("nodes").asText()))
            .hasToString(job.path("nodes").asText());
        for (String key :
            List.of("tres_per_node", "tres_per_job", "tres_per_task", "tres_per_socket")) {
          assertThat(GresList.parse(job.path(key).asText())).isNotNull();
        }
        for (JsonNode detail : job.path("gres_detail")) {
          assertThat(GresList.parse(detail.asText()).count("gpu")).isPositive();
        }
        if (!job.path("array_task_string").asText().isEmpty()) {
          ArraySpec.parse(job.path("array_task_string").asText());
        }
        jobs++;
      }
    }
    assertThat(jobs).isGreaterThan(50);
  }

  @Test
  void sinfoOfAGpuClusterShowsItsGpusAndStates() throws IOException {
    Path file = OUTPUTS.resolve("OSC+ood_core--spec__fixtures__output__slurm__sinfo_gres.txt");
    int rows = 0;
    for (String line : Files.readAllLines(file)) {
      String[] columns = line.strip().split(" +");
      if (columns.length == 4) {
        assertThat(GresList.parse(columns[1])).hasToString(columns[1]);
        assertThat(GresList.parse(columns[2])).hasToString(columns[2]);
        assertThat(NodeStateText.parse(columns[3]).unknown()).as(columns[3]).isEmpty();
        rows++;
      }
    }
    assertThat(rows).isPositive();
  }

  @Test
  void sacctAndSqueueTablesAreRead() throws IOException {
    for (Path file : files(OUTPUTS, ".txt")) {
      if (!file.toString().contains("sacct-")) {
        continue;
      }
      for (Map<String, String> row : DelimitedText.rows(Files.readString(file), '|')) {
        assertThat(JobId.parse(row.getOrDefault("JobID", ""))).hasToString(row.get("JobID"));
        assertThat(JobStateText.parse(row.getOrDefault("State", "")).base()).isNotNull();
      }
    }
    Path odd =
        OUTPUTS.resolve("OSC+ood_core--spec__fixtures__output__slurm__non_utf8_job_name.txt");
    List<? extends Map<String, String>> jobs =
        DelimitedText.rows(DelimitedText.decode(Files.readAllBytes(odd)), '\u001f');
    assertThat(jobs).isNotEmpty().anyMatch(job -> job.getOrDefault("NAME", "").contains("\uFFFD"));
    for (Map<String, String> job : jobs) {
      JobId.parse(job.getOrDefault("JOBID", ""));
      TresList.parse(job.getOrDefault("TRES_ALLOC", ""));
      TimeLimits.parseReported(job.getOrDefault("TIME_LIMIT", ""));
      Instants.parseReported(job.getOrDefault("SUBMIT_TIME", ""), ZONE);
    }
  }

  @Test
  void partitionsOfALargeClusterKeepTheirFoldedNodes() throws IOException {
    Path file =
        OUTPUTS.resolve("OSC+ood_core--spec__fixtures__output__slurm__owens_partitions.txt");
    int partitions = 0;
    for (Map<String, String> partition : KeyValueText.records(Files.readString(file))) {
      String nodes = partition.getOrDefault("Nodes", "").strip();
      if (nodes.equals("(null)")) {
        continue;
      }
      HostList list = HostList.parse(nodes);
      assertThat(list).hasToString(nodes);
      assertThat(HostList.fold(list.expand())).isEqualTo(nodes);
      assertThat(list.size()).isEqualTo(Long.parseLong(partition.getOrDefault("TotalNodes", "")));
      partitions++;
    }
    assertThat(partitions).isGreaterThan(1);
  }

  /** A job's request is shown as it was typed, and one may be typed without its count. */
  private static String request(String text) {
    GresList list = GresList.parse(text);
    String printed = list.isEmpty() ? "gres/" : list.toRequest();
    return printed.equals(text + ":1") ? text : printed;
  }

  private static boolean isValue(String value) {
    return !value.isEmpty()
        && !List.of("(null)", "N/A", "Unknown", "None", "NONE", "0", "UNLIMITED").contains(value)
        && !value.contains(":-1")
        && !value.contains(" ");
  }

  private static List<Path> transcripts() throws IOException {
    var all = new ArrayList<>(files(SHARED.resolve("golden"), ".txt"));
    all.addAll(files(OUTPUTS, ".txt"));
    return all;
  }

  /**
   * Records of job, node and partition listings; commands in a transcript begin a line with "[".
   */
  private static List<Map<String, String>> records(Path file) throws IOException {
    var out = new ArrayList<Map<String, String>>();
    var block = new StringBuilder();
    for (String line : DelimitedText.decode(Files.readAllBytes(file)).lines().toList()) {
      boolean begins = RECORD_STARTS.stream().anyMatch(line::startsWith);
      boolean inRecord = begins || (line.startsWith("   ") && !block.isEmpty());
      if (!inRecord || begins) {
        if (!block.isEmpty()) {
          out.add(KeyValueText.record(block.toString()));
        }
        block.setLength(0);
      }
      if (inRecord) {
        block.append(line).append('\n');
      }
    }
    if (!block.isEmpty()) {
      out.add(KeyValueText.record(block.toString()));
    }
    return out;
  }

  private static List<Path> files(Path dir, String end) throws IOException {
    if (!Files.isDirectory(dir)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(dir)) {
      return all.filter(p -> p.toString().endsWith(end)).sorted().toList();
    }
  }

  private static List<String> strings(JsonNode array) {
    var out = new ArrayList<String>();
    array.forEach(e -> out.add(e.asText()));
    return out;
  }
}
