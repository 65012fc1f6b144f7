package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Reason;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class WhyTest extends CommandTestBase {
  @Test
  void answersStandApart() throws IOException {
    fill();
    Captured why = serve();
    assertThat(why.run("why", "3", "4")).isZero();
    assertThat(why.out()).startsWith("Job 3 big ").contains("\n\nJob 4 name with | and = is held");
  }

  @Test
  void aJobThatIsNotThereDoesNotKeepTheOthers() throws IOException {
    fill();
    Captured why = serve();
    assertThat(why.run("why", "999", "3")).isEqualTo(1);
    assertThat(why.err())
        .isEqualTo(
            "yardmaster why: 999: Invalid job id specified (no such job is known, nor was there"
                + " one)\n");
    assertThat(why.out()).startsWith("Job 3 big ");
  }

  @Test
  void whatIsMissingIsSaid() throws IOException {
    Captured why = serve();
    assertThat(why.run("why")).isEqualTo(1);
    assertThat(why.out()).isEmpty();
    assertThat(why.err()).startsWith("yardmaster why: which job? Its id is missing\n");
    assertThat(why.run("why", "-x")).isEqualTo(1);
    assertThat(why.err()).contains("Try \"yardmaster why --help\"");
    assertThat(why.run("why", "--help")).isZero();
    assertThat(why.out())
        .startsWith("Usage: yardmaster why [--at TIME | --history] [--json] JOB...\n");
  }

  @Test
  void aListOfJobsIsToldOneByOneAndWhatIsNoJobIsSaid() throws IOException {
    lab.submit(JobSpec.job("one").held());
    lab.submit(JobSpec.job("two").held());
    lab.submit(JobSpec.job("many").held().array(5, 0));
    Captured why = serve();
    assertThat(why.run("why", "1,2", "3_[0,2]")).isZero();
    assertThat(why.out())
        .startsWith("Job 1 one is held")
        .contains("\nJob 2 two is held", "\nJob 3_[0-4] many is held");
    assertThat(why.run("why", "1,77,3_9,2+1,x")).isEqualTo(1);
    assertThat(why.err())
        .isEqualTo(
            """
            yardmaster why: 77: Invalid job id specified (no such job is known, nor was there one)
            yardmaster why: 3_9: Invalid job id specified (no such task is known, nor was there one)
            yardmaster why: 2+1: Invalid job id specified \
            (no such component is known, nor was there one)
            yardmaster why: x: Invalid job id specified (write 12, 14_3 or 20+1)
            """);
  }

  @Test
  void aJobHeldWhileItRunsIsToldToWaitOnlyWhenItComesBack() throws IOException {
    int id = lab.submit(JobSpec.job("runs"));
    lab.pass();
    lab.edit(id, j -> j.with(b -> b.hold(Hold.ADMIN).reason(Reason.JOB_HELD_ADMIN)));
    Captured why = serve();
    assertThat(why.run("why", "1")).isZero();
    assertThat(why.out())
        .startsWith("Job 1 runs is running.\n")
        .contains("It was held meanwhile: if it goes back to the queue it waits there")
        .doesNotContain("JobHeldAdmin");
  }

  @Test
  void aNameCannotCommandTheTerminal() throws IOException {
    lab.submit(JobSpec.job("two\nlines\u001b[31m").held());
    lab.submit(JobSpec.job("x".repeat(500)).held());
    lab.submit(JobSpec.job("").held());
    Captured why = serve();
    why.run("why", "1");
    assertThat(why.out())
        .startsWith("Job 1 two\\nlines\\u001b[31m is held")
        .doesNotContain("\u001b");
    why.run("why", "2");
    assertThat(why.out().lines().findFirst().orElse(""))
        .hasSizeLessThan(200)
        .contains("xxx… is held");
    why.run("why", "3");
    assertThat(why.out()).startsWith("Job 3 is held");
  }
}
