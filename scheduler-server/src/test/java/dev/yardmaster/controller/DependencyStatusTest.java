package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.text.Dependency;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is known of the terms of a dependency stays with the job. */
class DependencyStatusTest {
  private final Bench bench = Bench.ready();

  private int submit(String... options) {
    int id = bench.submit(options);
    bench.schedule();
    return id;
  }

  private String dependency(int id) {
    return Objects.requireNonNullElse(bench.job(id).dependency(), Dependency.NONE).toString();
  }

  private void end(int id, int code) {
    bench.end(id, code, 0);
    bench.gone(id, 0);
    bench.schedule();
  }

  @Test
  void termsAreFulfilledOrFailedOneByOne() {
    int good = submit("time=5");
    int bad = submit("time=5");
    int last = submit("time=5");
    int all = submit("dependency=afterok:%d,afterany:%d".formatted(good, last), "time=5");
    int any = submit("dependency=afterok:%d?afterok:%d".formatted(bad, last), "time=5");
    end(good, 0);
    end(bad, 1);
    assertThat(dependency(all))
        .isEqualTo("afterok:%d(fulfilled),afterany:%d(unfulfilled)".formatted(good, last));
    assertThat(dependency(any))
        .isEqualTo("afterok:%d(failed)?afterok:%d(unfulfilled)".formatted(bad, last));
    end(last, 0);
    assertThat(dependency(all)).isEmpty();
    assertThat(bench.job(any).state()).isEqualTo(JobState.RUNNING);
    assertThat(dependency(any)).as("once met, it is no dependency any more").isEmpty();
  }

  @Test
  void aWholeArrayIsNamedAsOne() {
    int array = submit("array=1-2", "time=5", "hold");
    int whole = submit("dependency=afterok:" + array, "time=5");
    int task = submit("dependency=afterok:%d_2".formatted(array), "time=5");
    assertThat(dependency(whole)).isEqualTo("afterok:%d_*(unfulfilled)".formatted(array));
    assertThat(dependency(task)).isEqualTo("afterok:%d_2(unfulfilled)".formatted(array));
  }

  @Test
  void whatWasDecidedStaysThoughTheOtherJobRunsAgain() {
    int bad = submit("time=5", "requeue");
    int after = submit("dependency=afterok:" + bad, "time=5");
    end(bad, 1);
    assertThat(bench.job(after).reason()).isEqualTo(Reason.DEPENDENCY_NEVER_SATISFIED);
    bench.handle(new Command.RequeueJobs(ROOT, "" + bad, false));
    bench.schedule();
    assertThat(dependency(after)).isEqualTo("afterok:%d(failed)".formatted(bad));
    assertThat(bench.job(after).reason()).isEqualTo(Reason.DEPENDENCY_NEVER_SATISFIED);
  }

  @Test
  void nobodyLooksAtTheDependencyOfAHeldJob() {
    int bad = submit("time=5");
    int held = submit("dependency=afterok:" + bad, "time=5", "hold");
    end(bad, 1);
    assertThat(dependency(held)).isEqualTo("afterok:" + bad);
    bench.handle(new Command.ReleaseJobs(ROOT, "" + held));
    bench.schedule();
    assertThat(dependency(held)).isEqualTo("afterok:%d(failed)".formatted(bad));
  }
}
