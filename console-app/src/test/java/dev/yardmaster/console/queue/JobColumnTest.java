package dev.yardmaster.console.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.connect.Unit;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBuilder;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobColumnTest {
  private final Terms terms = TestCluster.terms("en");

  private static Job job(int id) {
    return SampleJobs.all().stream().filter(j -> j.id() == id).findFirst().orElseThrow();
  }

  private String text(JobColumn column, Job job) {
    return column.text(job, terms, SampleCluster.NOW);
  }

  @Test
  void aWaitingJobIsToldInWords() {
    Job job = job(4711);

    assertThat(text(JobColumn.GPUS, job)).isEqualTo("16");
    assertThat(text(JobColumn.LIMIT, job)).isEqualTo("12\u00a0h\u00a000");
    assertThat(text(JobColumn.ELAPSED, job)).isEqualTo("6\u00a0h\u00a014");
    assertThat(text(JobColumn.START, job)).isEqualTo("plan Tue 02:20");
    assertThat(text(JobColumn.REASON, job)).isEqualTo("Waits for free resources");
    assertThat(JobColumn.START.hover(job, terms))
        .contains("2026")
        .contains("UTC")
        .contains("squeue --start");
    assertThat(JobColumn.REASON.hover(job, terms)).isEqualTo("Resources");
  }

  @Test
  void anArrayIsOneRowWithItsTasks() {
    Job array = job(4702);

    assertThat(text(JobColumn.ID, array)).isEqualTo("4702 ×60");
    assertThat(JobColumn.ID.hover(array, terms)).isEqualTo("4702_[4-63%4]: 60 tasks wait");
  }

  @Test
  void oddValuesAreToldAndNeverEmptyTheList() {
    Job odd =
        JobBuilder.builder(SampleJobs.pend(1, "na\uFFFDme", "", 1, 1, 0, Reason.NONE, 0, 0))
            .timeLimitMinutes(Partition.UNLIMITED)
            .partitions(List.of("hb120v2-low"))
            .build();

    assertThat(text(JobColumn.LIMIT, odd)).isEqualTo("no limit");
    assertThat(text(JobColumn.ACCOUNT, odd)).isEqualTo("—");
    assertThat(text(JobColumn.GPUS, odd)).isEqualTo("—");
    assertThat(text(JobColumn.PARTITION, odd)).isEqualTo("hb120v2-low");
    for (JobColumn column : JobColumn.values()) {
      assertThat(text(column, odd)).isNotNull();
      assertThat(column.hover(odd, terms)).isNotNull();
    }
  }

  @Test
  void everyColumnPutsAllJobsInAnOrder() {
    for (JobColumn column : JobColumn.values()) {
      assertThat(SampleJobs.all().stream().sorted(column.order()).toList())
          .hasSize(SampleJobs.all().size());
    }
  }

  @Test
  void aChoiceOfColumnsIsKeptByIdsAndAlwaysHasTheId() {
    ColumnChoice choice = new ColumnChoice(List.of("id", "name", "of-another-version"));
    choice.show(JobColumn.GPUS, true);
    choice.show(JobColumn.ID, false);

    assertThat(choice.ids()).containsExactly("id", "name", "gpus");
    assertThat(new ColumnChoice(choice.ids()).ids()).isEqualTo(choice.ids());

    choice.reset();
    assertThat(choice.ids()).isEmpty();
    assertThat(choice.shownProperty().get())
        .contains(JobColumn.REASON)
        .doesNotContain(JobColumn.QOS);
  }

  @Test
  void aClusterWithoutGpusIsToldInCpusAndNodesUnlessTheUserChose() {
    ColumnChoice standard = new ColumnChoice(List.of());
    ColumnChoice chosen = new ColumnChoice(List.of("id", "gpus"));
    standard.suit(Unit.CPU);
    chosen.suit(Unit.CPU);

    assertThat(standard.shownProperty().get())
        .contains(JobColumn.CPUS, JobColumn.NODES)
        .doesNotContain(JobColumn.GPUS);
    assertThat(chosen.shownProperty().get()).containsExactly(JobColumn.ID, JobColumn.GPUS);

    standard.suit(Unit.GPU);
    assertThat(standard.shownProperty().get()).contains(JobColumn.GPUS);
  }
}
