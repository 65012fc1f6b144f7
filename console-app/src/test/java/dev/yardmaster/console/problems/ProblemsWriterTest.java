package dev.yardmaster.console.problems;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.queue.FilterException;
import dev.yardmaster.console.queue.JobFilter;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBuilder;
import dev.yardmaster.model.Reason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProblemsWriterTest {
  private final ProblemsWriter writer = new ProblemsWriter(TestCluster.terms("en"));
  private final List<Problem> problems =
      writer.problems(Snapshot.of(SampleCluster.view(), SampleCluster.NOW));

  private Problem withText(String text) {
    return problems.stream().filter(p -> p.text().equals(text)).findFirst().orElseThrow();
  }

  @Test
  void jobsThatWaitForTheSameAreOneProblem() {
    Problem problem = withText("2 tasks: Waits for free resources");

    assertThat(problem.where()).isEqualTo("train");
    assertThat(problem.detail()).isEqualTo("4630, 4711");
    assertThat(problem.target()).isEqualTo(Items.job(4711));
    assertThat(problem.tone()).isEqualTo(Tone.NEUTRAL);
  }

  @Test
  void aLimitIsToldWithThoseWhoseItIs() throws FilterException {
    List<Job> jobs = new ArrayList<>();
    for (int id = 1; id <= 41; id++) {
      Job job = SampleJobs.pend(id, "sweep", "nlp", 17, 1, 1, Reason.PRIORITY, 10, id);
      jobs.add(
          JobBuilder.builder(job)
              .reason(id <= 40 ? Reason.QOS_MAX_GRES_PER_USER : Reason.ASSOC_GRP_GRES)
              .build());
    }
    List<Problem> found =
        writer.problems(Snapshot.of(SampleCluster.view(jobs), SampleCluster.NOW)).stream()
            .filter(problem -> !problem.filter().isEmpty())
            .toList();
    assertThat(found).extracting(Problem::count).containsExactlyInAnyOrder(27L, 13L, 1L);
    assertThat(found)
        .extracting(Problem::text)
        .anyMatch(text -> text.startsWith("27 tasks: ") && text.endsWith("QOS normal, user user17"))
        .anyMatch(text -> text.startsWith("13 tasks: ") && text.endsWith("QOS high, user user17"))
        .anyMatch(text -> text.startsWith("1 task: ") && text.endsWith("account nlp"));
    for (Problem problem : found) {
      var filter = JobFilter.parse(problem.filter(), TestCluster.terms("en"));
      assertThat(jobs.stream().filter(filter)).as(problem.filter()).hasSize((int) problem.count());
    }
  }

  @Test
  void openingAProblemShowsItsJobsAndNoOthers() throws FilterException {
    for (Problem problem : problems) {
      if (!problem.filter().isEmpty()) {
        var filter = JobFilter.parse(problem.filter(), TestCluster.terms("en"));
        long tasks =
            SampleJobs.all().stream().filter(filter).mapToLong(job -> job.taskCount()).sum();
        assertThat(tasks).as(problem.filter()).isEqualTo(problem.count());
      }
    }
  }

  @Test
  void aFaultOfANodeTellsReasonWhoAndSince() {
    Problem problem =
        withText("1 node drained: gres/gpu count reported lower than configured (7 < 8)");

    assertThat(problem.where()).isEqualTo("node046");
    assertThat(problem.detail()).isEqualTo("8 GPUs; set by op1");
    assertThat(problem.age()).hasHours(26);
  }

  @Test
  void aDrainWithoutReasonIsSaidToHaveNone() {
    assertThat(withText("1 node draining, and nobody gave a reason").tone())
        .isEqualTo(Tone.ATTENTION);
  }

  @Test
  void theGravestComesFirst() {
    assertThat(problems.getFirst().tone()).isEqualTo(Tone.BLOCKED);
    assertThat(problems.getLast().tone()).isEqualTo(Tone.NEUTRAL);
  }

  @Test
  void keysAreUniqueSoThatTheSelectionStays() {
    assertThat(problems).extracting(Problem::key).doesNotHaveDuplicates();
  }
}
