package dev.yardmaster.console.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.console.queue.QueueExport.Format;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBuilder;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueExportTest {
  @TempDir Path folder;

  private final QueueExport export =
      new QueueExport(
          TestCluster.terms("en"), List.of(JobColumn.ID, JobColumn.NAME, JobColumn.USER));

  private static Job named(String name) {
    return JobBuilder.builder(SampleJobs.all().getFirst()).name(name).build();
  }

  private String text(Format format, String name) {
    return export.text(format, List.of(named(name)), SampleCluster.NOW);
  }

  @Test
  void allRowsAreWrittenWithATitleForEachColumn() {
    String csv = export.text(Format.CSV, SampleJobs.all(), SampleCluster.NOW);

    assertThat(csv.lines()).hasSize(SampleJobs.all().size() + 1);
    assertThat(csv).startsWith("Job,Name,User\n");
  }

  @Test
  void namesWithTheSignsOfAFormatStayOneCell() {
    assertThat(text(Format.CSV, "a,\"b\"")).contains(",\"a,\"\"b\"\"\",");
    assertThat(text(Format.MARKDOWN, "a|b").lines().toList().getLast()).contains("| a\\|b |");
    assertThat(text(Format.MARKDOWN, "a\nb").lines()).hasSize(3);
    assertThat(text(Format.CSV, "=1+1")).contains(",'=1+1,");
  }

  @Test
  void jsonHasAnObjectForEachRow() throws Exception {
    JsonNode rows = new ObjectMapper().readTree(text(Format.JSON, "\"quoted\"\n"));

    assertThat(rows).hasSize(1);
    assertThat(rows.get(0).get("name").asText()).isEqualTo("\"quoted\"\n");
  }

  @Test
  void theEndingOfTheNameTellsTheFormat() throws Exception {
    for (String name : List.of("q.csv", "q.JSON", "q.md", "q")) {
      Path file = folder.resolve(name);
      export.write(file, List.of(named("x")), SampleCluster.NOW);
      assertThat(Files.readString(file))
          .startsWith(
              switch (Format.of(file)) {
                case CSV -> "Job,";
                case JSON -> "[";
                case MARKDOWN -> "| Job |";
              });
    }
    assertThat(Format.of(Path.of("q.JSON"))).isEqualTo(Format.JSON);
  }

  @Test
  void aFileThatCannotBeWrittenIsNamed() {
    Path file = folder.resolve("none").resolve("q.csv");

    assertThatThrownBy(() -> export.write(file, List.of(), SampleCluster.NOW))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(file.toString());
  }
}
