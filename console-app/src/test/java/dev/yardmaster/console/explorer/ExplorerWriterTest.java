package dev.yardmaster.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.console.shell.ExplorerItem;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExplorerWriterTest {
  private final ExplorerWriter writer = new ExplorerWriter(TestCluster.terms("en"));

  private List<ExplorerItem> tree(List<Job> jobs) {
    return writer.tree(Snapshot.of(SampleCluster.view(jobs), SampleCluster.NOW));
  }

  private static void ids(List<ExplorerItem> items, List<String> ids) {
    for (ExplorerItem item : items) {
      ids.add(item.id());
      ids(item.children(), ids);
    }
  }

  @Test
  void groupsHaveCounts() {
    assertThat(tree(SampleJobs.all()))
        .extracting(item -> item.label() + " " + item.detail())
        .containsExactly(
            "Partitions 3", "Nodes 60", "Jobs needing attention 5", "Accounts 5", "Reservations 2");
  }

  @Test
  void aPartitionTellsItsFreeGpus() {
    ExplorerItem train = tree(SampleJobs.all()).getFirst().children().getFirst();

    assertThat(train.label()).isEqualTo("train");
    assertThat(train.detail()).isEqualTo("42 free");
    assertThat(train.target()).isEqualTo(Items.partition("train"));
  }

  @Test
  void idsAreUniqueSoThatLinesStayOpen() {
    List<String> ids = new ArrayList<>();
    ids(tree(SampleJobs.all()), ids);

    assertThat(ids).doesNotHaveDuplicates();
  }

  @Test
  void manyJobsAreToldByTheirNumber() {
    List<Job> jobs =
        IntStream.rangeClosed(1, 100)
            .mapToObj(i -> SampleJobs.pend(i, "j", "nlp", 1, 1, 1, Reason.JOB_HELD_ADMIN, 0, 1))
            .toList();
    ExplorerItem attention = tree(jobs).get(2);

    assertThat(attention.detail()).isEqualTo("100");
    assertThat(attention.children()).hasSize(ExplorerWriter.MAX_JOBS + 1);
    assertThat(attention.children().getLast().label()).isEqualTo("88 more");
  }
}
