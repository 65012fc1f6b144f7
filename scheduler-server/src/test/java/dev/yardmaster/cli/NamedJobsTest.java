package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** scontrol update job that knows its jobs by their name. */
class NamedJobsTest extends CommandTestBase {
  private Captured command = new Captured();

  @BeforeEach
  void prepare() throws IOException {
    fill();
    command = serve();
  }

  @ParameterizedTest
  @CsvSource({
    "jobname=whole nice=5, 1, '{nice=5}'",
    "JobName=deps UserId=alice nice=5, 5, '{nice=5}'",
    "jobid=3 jobname=deps, 3, '{jobname=deps}'"
  })
  void aNameMeansJobsWhereNoIdIsGiven(String words, String jobs, String fields) {
    String[] line = ("update " + words).split(" ");
    assertThat(command.run("scontrol", line)).isZero();
    assertThat(controller().taken().getLast())
        .isInstanceOfSatisfying(
            Command.UpdateJob.class,
            c -> {
              assertThat(c.jobs()).isEqualTo(jobs);
              assertThat(c.fields()).hasToString(fields);
            });
  }

  @Test
  void whereNodesAreUpdatedANameOfJobsMeansNothing() {
    command.run("scontrol", "update", "nodename=n1", "jobname=deps");
    assertThat(controller().taken()).noneMatch(Command.UpdateJob.class::isInstance);
  }

  @Test
  void aNameThatNoJobHasIsAnError() {
    assertThat(command.run("scontrol", "update", "jobname=nosuch", "timelimit=9")).isEqualTo(1);
    assertThat(command.err()).isEqualTo("scontrol: error: No jobs with name 'nosuch'\n");
    assertThat(command.run("scontrol", "update", "jobname=deps", "userid=zoe", "nice=1"))
        .isEqualTo(1);
    assertThat(command.err())
        .isEqualTo("scontrol: error: No jobs with user ID zoe and name 'deps'\n");
  }

  @ParameterizedTest
  @CsvSource({
    "hold jobname=whole, 1",
    "hold Name=deps, 5",
    "hold JobID=3, 3",
    "hold job=3, 3",
    "hold jobname=nosuch, ''"
  })
  void holdsKnowJobsByTheirName(String words, String jobs) {
    assertThat(command.run("scontrol", words.split(" "))).isZero();
    assertThat(
            controller().taken().stream()
                .filter(Command.HoldJobs.class::isInstance)
                .map(c -> ((Command.HoldJobs) c).jobs()))
        .containsExactlyElementsOf(jobs.isEmpty() ? List.of() : List.of(jobs));
  }
}
