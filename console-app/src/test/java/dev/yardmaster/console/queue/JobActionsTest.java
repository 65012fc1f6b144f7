package dev.yardmaster.console.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.action.Action;
import dev.yardmaster.console.action.Actions;
import dev.yardmaster.console.action.MenuPlace;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.JobCommand;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBuilder;
import dev.yardmaster.model.JobState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobActionsTest {
  private final TestCluster cluster = TestCluster.sample();
  private final Actions actions = new Actions();
  private final JobSelection selection = new JobSelection(cluster.model(), cluster.selection());
  private final List<JobQuestion> asked = new ArrayList<>();
  private final List<Integer> explained = new ArrayList<>();

  @BeforeEach
  void register() {
    new JobActions(selection, TestCluster.terms("en"), asked::add)
        .register(actions, job -> explained.add(job.id()));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private List<String> enabled() {
    return actions.in(MenuPlace.JOB).stream()
        .filter(action -> action.enabled().get())
        .map(Action::id)
        .toList();
  }

  private static Job job(JobState state) {
    return SampleJobs.all().stream()
        .filter(job -> job.state() == state && job.hold() == Hold.NONE)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void withoutASelectedJobNothingCanBeDone() {
    assertThat(enabled()).isEmpty();
    cluster.selection().set(Items.node("node001"));
    assertThat(enabled()).isEmpty();
    actions.find("job.cancel").orElseThrow().run();
    assertThat(asked).isEmpty();
  }

  @Test
  void whatCanBeDoneFollowsTheSelectedJob() {
    cluster.selection().set(Items.job(job(JobState.PENDING)));
    assertThat(enabled()).containsExactly("job.why", "job.hold", "job.cancel", "job.copy");

    cluster.selection().set(Items.job(job(JobState.RUNNING)));
    assertThat(enabled()).containsExactly("job.why", "job.requeue", "job.cancel", "job.copy");

    cluster.selection().set(Items.job(job(JobState.COMPLETED)));
    assertThat(enabled()).containsExactly("job.why", "job.requeue", "job.copy");
  }

  @Test
  void whatCanBeDoneFollowsTheJobAsItChangesAndLeaves() {
    cluster.selection().set(Items.job(4711));
    List<Job> jobs = new ArrayList<>(SampleJobs.all());
    jobs.replaceAll(
        job -> job.id() == 4711 ? JobBuilder.builder(job).hold(Hold.USER).build() : job);
    cluster.show(jobs);
    assertThat(enabled()).contains("job.release").doesNotContain("job.hold");

    jobs.removeIf(job -> job.id() == 4711);
    cluster.show(jobs);
    assertThat(enabled()).isEmpty();
  }

  @Test
  void rowsSelectedTogetherAreMeantTogetherUntilAnotherJobIsSelected() {
    Job one = job(JobState.PENDING);
    Job other = job(JobState.RUNNING);
    selection.together(List.of(one, other));
    cluster.selection().set(Items.job(other));
    assertThat(selection.jobsProperty().get()).extracting(Job::id).contains(one.id(), other.id());

    actions.find("job.hold").orElseThrow().run();
    assertThat(asked)
        .singleElement()
        .satisfies(q -> assertThat(q.command().jobs()).containsExactly(JobCommand.id(one)));

    Job third = job(JobState.COMPLETED);
    cluster.selection().set(Items.job(third));
    assertThat(selection.jobsProperty().get()).extracting(Job::id).containsExactly(third.id());
  }

  @Test
  void everyActionOnJobsHasAShortcutAndAPlaceInTheMenu() {
    assertThat(actions.in(MenuPlace.JOB))
        .hasSize(6)
        .allSatisfy(action -> assertThat(action.shortcut()).isNotNull());
    cluster.selection().set(Items.job(4711));
    actions.find("job.why").orElseThrow().run();
    assertThat(explained).containsExactly(4711);
  }
}
