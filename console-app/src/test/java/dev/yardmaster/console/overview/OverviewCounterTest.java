package dev.yardmaster.console.overview;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.connect.NodeGroup;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.connect.Unit;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverviewCounterTest {
  private final Overview overview =
      OverviewCounter.count(Snapshot.of(SampleCluster.view(), SampleCluster.NOW));

  @Test
  void everyNodeIsCountedOnce() {
    assertThat(overview.nodeCount()).isEqualTo(60);
    assertThat(overview.nodes())
        .contains(
            new Overview.GroupLine(NodeGroup.DOWN, 1), new Overview.GroupLine(NodeGroup.OTHER, 1));
  }

  @Test
  void whatJobsWaitForAddsUpToAllThatWait() {
    assertThat(overview.waits().stream().mapToLong(Overview.WaitLine::tasks).sum())
        .isEqualTo(overview.tasks(JobState.PENDING))
        .isEqualTo(77);
    assertThat(overview.waits().getFirst())
        .isEqualTo(new Overview.WaitLine(Reason.JOB_ARRAY_TASK_LIMIT, 60, true));
  }

  @Test
  void useCountsRunningJobsOnly() {
    long byAccount = overview.unitsByAccount().values().stream().mapToLong(g -> g).sum();

    assertThat(byAccount).isEqualTo(overview.units().allocated());
    assertThat(overview.tasks(JobState.COMPLETED)).isEqualTo(1);
  }

  @Test
  void partitionsShareTheGpusOfTheCluster() {
    assertThat(
            overview.partitions().stream()
                .filter(line -> line.unit() == Unit.GPU)
                .map(Overview.PartitionLine::units)
                .mapToLong(g -> g.total())
                .sum())
        .isEqualTo(overview.units().total());
  }

  @Test
  void jobsThatEndSoonComeInTheOrderTheyEnd() {
    assertThat(overview.ending()).extracting(Job::displayId).startsWith("4642", "4702_0");
  }

  @Test
  void partitionsWithoutGpusAreToldInCpus() {
    assertThat(overview.partitions())
        .filteredOn(line -> line.unit() == Unit.CPU)
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line.units().total()).isPositive());
  }

  @Test
  void aClusterThatIsAllEmptyHasNoOddNumbers() {
    Overview empty =
        OverviewCounter.count(Snapshot.of(SampleCluster.view(List.of()), SampleCluster.NOW));

    assertThat(empty.units().allocatedShare()).isZero();
    assertThat(empty.tasks(JobState.PENDING)).isZero();
    assertThat(empty.waits()).isEmpty();
    assertThat(empty.ending()).isEmpty();
  }
}
