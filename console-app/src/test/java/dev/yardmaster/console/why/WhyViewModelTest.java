package dev.yardmaster.console.why;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.fixture.SampleExplanations;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.console.why.WhyViewModel.Content;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.explain.Outcome;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBuilder;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.text.HostList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WhyViewModelTest {
  private final TestCluster cluster = TestCluster.sample();
  private final WhyViewModel why =
      new WhyViewModel(
          cluster.model(),
          cluster.selection(),
          TestCluster.terms("en"),
          TestCluster.words("en"),
          cluster.tasks());

  @AfterEach
  void close() {
    cluster.close();
  }

  private WhyPage page() {
    assertThat(why.contentProperty().get()).isInstanceOf(Content.Waiting.class);
    return why.contentProperty().get() instanceof Content.Waiting waiting
        ? waiting.page()
        : throwing();
  }

  private static WhyPage throwing() {
    throw new AssertionError();
  }

  private static Job job(int id) {
    return SampleJobs.all().stream().filter(j -> j.id() == id).findFirst().orElseThrow();
  }

  private static List<Job> replacing(Job changed) {
    return Stream.concat(
            SampleJobs.all().stream().filter(job -> job.id() != changed.id()), Stream.of(changed))
        .toList();
  }

  @Test
  void withoutAJobThereIsNothingToExplain() {
    assertThat(why.contentProperty().get()).isEqualTo(new Content.None());
  }

  @Test
  void selectingAJobExplainsIt() {
    cluster.selection().set(Items.job(4711));

    assertThat(page().answer()).startsWith("Job 4711");
    assertThat(why.asOfProperty().get()).isEqualTo("As of 18:16:00");
  }

  @Test
  void theExplanationStaysWhileANodeInItIsSelected() {
    cluster.selection().set(Items.job(4711));
    cluster.selection().set(Items.node("node046"));

    assertThat(page().answer()).startsWith("Job 4711");
  }

  @Test
  void anotherReasonIsExplainedAtOnce() {
    cluster.selection().set(Items.job(4711));
    Job held = JobBuilder.builder(job(4711)).reason(Reason.JOB_HELD_USER).build();
    cluster.client().know(Map.of(4711, SampleExplanations.of(held)));
    cluster.show(replacing(held));

    assertThat(page().answer()).contains("held by its owner");
  }

  @Test
  void aClusterThatChangesIsAskedAgainAfterAWhile() {
    cluster.selection().set(Items.job(4711));
    Job other = JobBuilder.builder(job(4711)).reason(Reason.BEGIN_TIME).build();
    cluster.client().know(Map.of(4711, SampleExplanations.of(other)));
    cluster.show(SampleJobs.all());
    assertThat(page().answer()).contains("waits for 2 nodes");

    cluster.pass(WhyViewModel.REFRESH_AFTER);

    assertThat(page().answer()).contains("is not to start before");
  }

  @Test
  void anUnansweredQuestionKeepsTheOldAnswerAndSaysSo() {
    cluster.selection().set(Items.job(4711));
    cluster.client().fail(new ClientException.Unreachable("no answer within 10 s", null));
    cluster.show(SampleJobs.all());
    cluster.pass(WhyViewModel.REFRESH_AFTER);

    assertThat(page().answer()).startsWith("Job 4711");
    assertThat(why.asOfProperty().get())
        .isEqualTo("As of 18:16:00; asking again failed: no answer within 10 s");
  }

  @Test
  void aFirstQuestionWithoutAnswerIsAnErrorThatCanBeRepeated() {
    cluster.client().fail(new ClientException.Unreachable("no answer within 10 s", null));
    cluster.selection().set(Items.job(4711));
    assertThat(why.contentProperty().get())
        .isEqualTo(new Content.Failed("4711", "no answer within 10 s"));

    cluster.client().fail(null);
    why.askAgain();

    assertThat(page().answer()).startsWith("Job 4711");
  }

  @Test
  void aJobThatStartsIsToldWhereItRuns() {
    cluster.selection().set(Items.job(4711));
    Job running = job(4688);
    cluster.show(
        replacing(
            JobBuilder.builder(job(4711))
                .state(JobState.RUNNING)
                .started(running.started())
                .allocation(running.allocation())
                .build()));

    assertThat(why.contentProperty().get())
        .isInstanceOfSatisfying(
            Content.Ran.class,
            ran -> {
              assertThat(ran.page().answer())
                  .isEqualTo("Job 4711 qwen-finetune runs on node[001-008]");
              assertThat(ran.page().places()).hasSize(8);
            });
  }

  @Test
  void aRunningJobIsToldWhyItWasPlacedThereWithTheChoiceFirst() {
    Explanation bare = SampleExplanations.of(job(4688));
    HostList nodes = HostList.parse("node[001-002]");
    cluster
        .client()
        .know(
            Map.of(
                4688,
                SampleExplanations.with(
                    bare,
                    new Finding(Gate.HOLD, Outcome.NOT_APPLICABLE, false, new Evidence.None()),
                    new Finding(
                        Gate.NODES_UP,
                        Outcome.PASS,
                        true,
                        new Evidence.Nodes(40, 12, 2, List.of())),
                    new Finding(
                        Gate.TOPOLOGY,
                        Outcome.PASS,
                        true,
                        new Evidence.Placed(Evidence.Placed.Rule.LOAD, nodes)))));
    cluster.selection().set(Items.job(4688));

    assertThat(reasons())
        .hasSize(2)
        .first()
        .isEqualTo("It got node[001-002]: the nodes with the most CPUs free.");
  }

  @Test
  void aRunningJobIsToldHowItsTurnCameAndWhoWaitsForItsEnd() {
    cluster.client().know(Map.of(4688, SampleExplanations.of(job(4688))));
    cluster.selection().set(Items.job(4688));

    RunPage page = ran();
    assertThat(page.turn())
        .satisfies(
            turn -> {
              assertThat(turn.how()).startsWith("Backfill started it past 3 jobs before it");
              assertThat(turn.waits())
                  .extracting(WhyPage.Amount::value)
                  .containsExactly("30\u00a0min", "11\u00a0min");
            });
    assertThat(page.heldBack())
        .satisfies(
            held -> {
              assertThat(held.remark()).startsWith("2 waiting jobs");
              assertThat(held.jobs())
                  .extracting(WhyPage.Obstacle::label)
                  .containsExactly("4711 qwen-finetune", "A job that you may not see");
            });
    assertThat(page.times()).extracting(WhyPage.Fact::name).contains("Likely end");
  }

  @Test
  void aRunningJobIsToldHowItsTurnCameBeforeTheAnswerIsThere() {
    cluster.client().fail(new ClientException.Unreachable("no answer within 10 s", null));
    cluster.selection().set(Items.job(4688));

    assertThat(ran().turn()).isNotNull();
    assertThat(ran().heldBack()).isNull();
  }

  private RunPage ran() {
    return why.contentProperty().get() instanceof Content.Ran ran
        ? ran.page()
        : org.junit.jupiter.api.Assertions.fail("no page of a run");
  }

  @Test
  void aRunningJobIsToldWhereItRunsWhenNobodyAnswersWhy() {
    cluster.client().fail(new ClientException.Unreachable("no answer within 10 s", null));
    cluster.selection().set(Items.job(4688));

    assertThat(reasons()).isEmpty();
  }

  private List<String> reasons() {
    assertThat(why.contentProperty().get()).isInstanceOf(Content.Ran.class);
    return why.contentProperty().get() instanceof Content.Ran ran
        ? ran.page().reasons().stream().map(WhyPage.GateLine::evidence).toList()
        : List.of("not told");
  }

  @Test
  void anEndedJobIsToldHowItEnded() {
    cluster.selection().set(Items.job(4601));

    assertThat(why.contentProperty().get())
        .isInstanceOfSatisfying(
            Content.Ran.class,
            ran -> {
              assertThat(ran.page().answer())
                  .isEqualTo("Job 4601 grid-search failed with exit code 1");
              assertThat(ran.page().outcome())
                  .contains(new WhyPage.Fact("Exit code", new ExitCode(1, 0).toString(), ""));
            });
  }

  @Test
  void aJobThatLeftTheClusterIsSaidToBeGone() {
    cluster.selection().set(Items.job(4711));
    cluster.show(List.of());

    assertThat(why.contentProperty().get()).isEqualTo(new Content.Gone("4711"));
  }
}
