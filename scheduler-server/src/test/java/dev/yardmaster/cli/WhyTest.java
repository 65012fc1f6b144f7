package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.JobSpec;
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
    assertThat(why.err()).isEqualTo("yardmaster why: 999: Invalid job id specified\n");
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
