package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.JobSubmission;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A submission whose answer was lost comes again, to this controller or to the next one. */
class RepeatedSubmissionTest {
  private final Bench bench = new Bench(TestCluster.config(4, Map.of()));

  private static JobSubmission marked(String id, String... options) {
    String[] all = java.util.Arrays.copyOf(options, options.length + 1);
    all[options.length] = JobSubmission.REQUEST_ID + "=" + id;
    return TestCluster.submission(all);
  }

  private Reply submit(JobSubmission submission) {
    return bench.handle(new Command.Submit(TestCluster.ALICE, submission));
  }

  private static int id(Reply reply) {
    return ((Reply.Submitted) reply).jobId();
  }

  @Test
  void itIsAnsweredWithTheJobThatIsThere() {
    int first = id(submit(marked("a", "ntasks=1")));
    int jobs = bench.core.state().jobs().size();
    assertThat(id(submit(marked("a", "ntasks=1")))).isEqualTo(first);
    assertThat(bench.core.state().jobs()).hasSize(jobs);
    assertThat(id(submit(marked("b", "ntasks=1")))).isNotEqualTo(first);
  }

  @Test
  void theNextControllerKnowsIt() {
    int array = id(submit(marked("a", "array=1-3")));
    bench.core.reset(bench.core.state());
    assertThat(id(submit(marked("a", "array=1-3")))).isEqualTo(array);
  }

  @Test
  void anotherUserCannotLearnOfIt() {
    int first = id(submit(marked("a", "ntasks=1")));
    Reply stranger = bench.handle(new Command.Submit(TestCluster.BOB, marked("a", "ntasks=1")));
    assertThat(id(stranger)).isNotEqualTo(first);
  }

  @Test
  void aHeterogeneousJobIsKnownByItsFirstComponent() {
    Command submission =
        new Command.SubmitHet(
            TestCluster.ALICE, List.of(marked("a", "ntasks=1"), marked("b", "ntasks=1")));
    int leader = id(bench.handle(submission));
    assertThat(id(bench.handle(submission))).isEqualTo(leader);
  }

  @Test
  void aRefusedOneIsRefusedAgain() {
    for (int i = 0; i < 2; i++) {
      assertThat(submit(marked("a", "nodes=0"))).isInstanceOf(Reply.Refused.class);
    }
  }
}
