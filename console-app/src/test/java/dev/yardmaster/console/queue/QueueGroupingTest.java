package dev.yardmaster.console.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QueueGroupingTest {
  private final TestCluster cluster = TestCluster.sample();
  private final QueueViewModel queue =
      new QueueViewModel(
          cluster.model(), cluster.selection(), TestCluster.terms("en"), cluster.tasks());
  private final QueueGrouping grouping = queue.grouping();

  @AfterEach
  void close() {
    cluster.close();
  }

  private List<QueueGroup> groups() {
    return grouping.groupsProperty().get();
  }

  private QueueGroup group(String label) {
    return groups().stream().filter(g -> g.label().equals(label)).findFirst().orElseThrow();
  }

  private List<Job> rows() {
    return queue.rows().rowsProperty().get();
  }

  @ParameterizedTest
  @EnumSource(value = GroupBy.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void groupsAddUpToAllJobs(GroupBy by) {
    grouping.byProperty().set(by);
    QueueGroup all = groups().getFirst();
    List<QueueGroup> parts = groups().subList(1, groups().size());

    assertThat(all.key()).isNull();
    assertThat(all.jobs()).isEqualTo(SampleJobs.all().size());
    assertThat(parts.stream().mapToInt(QueueGroup::jobs).sum()).isEqualTo(all.jobs());
    assertThat(parts.stream().mapToLong(QueueGroup::waiting).sum())
        .isEqualTo(all.waiting())
        .isEqualTo(77);
    assertThat(parts.stream().mapToLong(QueueGroup::running).sum()).isEqualTo(all.running());
    assertThat(parts.stream().mapToLong(QueueGroup::units).sum())
        .isEqualTo(all.units())
        .isEqualTo(318);
    assertThat(parts).extracting(QueueGroup::key).doesNotHaveDuplicates();
    assertThat(GroupBy.ofId(by.id())).isEqualTo(by);
  }

  @Test
  void withoutGroupsNothingIsCounted() {
    assertThat(groups()).isEmpty();
    grouping.byProperty().set(GroupBy.USER);
    grouping.byProperty().set(GroupBy.NONE);
    assertThat(groups()).isEmpty();
    assertThat(GroupBy.ofId("of-another-version")).isEqualTo(GroupBy.NONE);
  }

  @Test
  void theChosenGroupAloneIsShownTogetherWithTheFilter() {
    grouping.byProperty().set(GroupBy.ACCOUNT);
    grouping.chosenProperty().set("bio");
    assertThat(rows())
        .hasSize(group("bio").jobs())
        .allSatisfy(job -> assertThat(job.owner().account()).isEqualTo("bio"));
    assertThat(queue.shownProperty().get()).isNotEmpty();

    queue.filterProperty().set("state:PD");
    assertThat(rows()).allSatisfy(job -> assertThat(job.state()).isEqualTo(JobState.PENDING));
    assertThat(group("bio").running()).isZero();
    assertThat(groups().getFirst().running()).isZero();

    grouping.chosenProperty().set(null);
    assertThat(rows()).hasSize(groups().getFirst().jobs());
  }

  @Test
  void aGroupThatIsGoneShowsAllJobsAgain() {
    grouping.byProperty().set(GroupBy.ACCOUNT);
    grouping.chosenProperty().set("bio");
    List<Job> others =
        SampleJobs.all().stream().filter(job -> !job.owner().account().equals("bio")).toList();
    cluster.show(others);

    assertThat(grouping.chosenProperty().get()).isNull();
    assertThat(rows()).hasSameSizeAs(others);
  }

  @Test
  void anotherGroupingForgetsTheChosenGroup() {
    grouping.byProperty().set(GroupBy.ACCOUNT);
    grouping.chosenProperty().set("bio");
    grouping.byProperty().set(GroupBy.STATE);

    assertThat(rows()).hasSameSizeAs(SampleJobs.all());
    assertThat(group("Pending").waiting()).isEqualTo(77);
  }

  @Test
  void theNamesOfKeptFiltersAreFewAndTheLatestFirst() {
    SavedFilters filters = new SavedFilters(List.of("a", "", "b", "a"));
    assertThat(filters.filtersProperty().get()).containsExactly("a", "b");
    filters.keep(" b ");
    filters.keep("  ");
    assertThat(filters.filtersProperty().get()).containsExactly("b", "a");
    for (int i = 0; i < 100; i++) {
      filters.keep("id:" + i);
    }
    assertThat(filters.filtersProperty().get()).hasSize(SavedFilters.LIMIT).startsWith("id:99");
    filters.forget("id:99");
    assertThat(filters.filtersProperty().get()).startsWith("id:98");
  }
}
