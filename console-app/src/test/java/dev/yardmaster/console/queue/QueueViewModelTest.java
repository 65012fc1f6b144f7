package dev.yardmaster.console.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.JobCommand;
import dev.yardmaster.console.connect.JobCommand.Verb;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.queue.QueueViewModel.Content;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueueViewModelTest {
  private final TestCluster cluster = TestCluster.sample();
  private final QueueViewModel queue =
      new QueueViewModel(
          cluster.model(), cluster.selection(), TestCluster.terms("en"), cluster.tasks());

  @AfterEach
  void close() {
    cluster.close();
  }

  private List<String> rows() {
    return queue.rows().rowsProperty().get().stream().map(Job::displayId).toList();
  }

  @Test
  void waitingJobsComeFirstByPriorityThenRunningThenEnded() {
    List<Job> rows = queue.rows().rowsProperty().get();

    assertThat(rows().subList(0, 3)).containsExactly("4711", "4630", "4702_[4-63%4]");
    assertThat(rows.getLast().state().isFinished()).isTrue();
    assertThat(rows.stream().map(job -> job.state() == JobState.PENDING).toList())
        .isSortedAccordingTo((a, b) -> Boolean.compare(b, a));
  }

  @Test
  void theFirstLineSaysHowManyWaitRunAndNeedAttention() {
    assertThat(queue.summaryProperty().get()).isEqualTo("77 jobs wait, 16 run; 5 need attention");
  }

  @Test
  void aFilterSaysHowManyPass() {
    queue.filterProperty().set("account:bio state:PD");

    assertThat(rows()).containsExactly("4713", "4714", "4725", "4726");
    assertThat(queue.shownProperty().get()).isEqualTo("4 of 37 jobs shown");
  }

  @Test
  void aFilterThatIsNotUnderstoodLeavesTheRowsAsTheyWere() {
    queue.filterProperty().set("user:user18");
    queue.filterProperty().set("user:user18 colour:blue");

    assertThat(rows()).containsExactly("4722", "4723");
    assertThat(queue.problemProperty().get()).contains("colour");

    queue.filterProperty().set("user:user18 name:none");
    assertThat(queue.problemProperty().get()).isEmpty();
  }

  @Test
  void anEmptyQueueAndAFilterWithoutMatchAreDifferent() {
    queue.filterProperty().set("user:nobody");
    assertThat(queue.contentProperty().get()).isEqualTo(Content.NO_MATCH);

    cluster.show(List.of());
    assertThat(queue.contentProperty().get()).isEqualTo(Content.NO_JOBS);
  }

  @Test
  void newJobsPassThroughTheFilterAtOnce() {
    queue.filterProperty().set("account:nlp state:PD");
    List<Job> fewer = SampleJobs.all().stream().filter(job -> job.id() != 4711).toList();
    cluster.show(fewer);

    assertThat(rows()).doesNotContain("4711").contains("4630");
  }

  @Test
  void aRowThatLeftUnselectsNothingElsewhere() {
    queue.select(SampleJobs.all().getFirst());
    queue.select(null);

    assertThat(cluster.selection().get()).isEqualTo(Items.job(SampleJobs.all().getFirst()));
  }

  @Test
  void aCommandIsSentAndItsEndIsTold() {
    queue.send(new JobCommand(Verb.CANCEL, List.of("4711", "4713")));

    assertThat(cluster.client().commands()).containsExactly("cancelJobs[[4711, 4713], {}, ]");
    QueueViewModel.Notice notice = queue.noticeProperty().get();
    assertThat(notice).isEqualTo(new QueueViewModel.Notice("Cancelled: 4711, 4713", Tone.GOOD));
  }

  @Test
  void aRefusedCommandSaysWhatTheServerSaid() {
    cluster
        .client()
        .fail(
            new ClientException.Refused(
                "ACCESS_DENIED", 2002, "Access/permission denied", "job 4711"));
    queue.send(new JobCommand(Verb.HOLD, List.of("4711")));

    assertThat(queue.noticeProperty().get())
        .isEqualTo(
            new QueueViewModel.Notice(
                "Not done: Access/permission denied: job 4711", Tone.BLOCKED));
    queue.dismissNotice();
    assertThat(queue.noticeProperty().get()).isNull();
  }

  @Test
  void aQuestionNamesEveryIdItActsOn() {
    JobQuestion question =
        JobQuestion.about(
            new JobCommand(Verb.CANCEL, List.of("733", "734")), TestCluster.terms("en"));

    assertThat(question.title()).isEqualTo("Cancel 2 jobs?");
    assertThat(question.text()).contains("733, 734");
    assertThat(question.yes()).isEqualTo("Cancel 2 jobs");
    assertThat(
            JobQuestion.about(new JobCommand(Verb.HOLD, List.of("733")), TestCluster.terms("es"))
                .title())
        .isEqualTo("¿Retener el trabajo 733?");
  }
}
