package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.model.SlurmError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScancelTest extends CommandTestBase {
  private Captured scancel = new Captured();

  @BeforeEach
  void prepare() throws IOException {
    scancel = serve();
  }

  private Command.CancelJobs taken() {
    List<Command> commands = controller().taken();
    assertThat(commands).hasSize(1);
    return (Command.CancelJobs) commands.getFirst();
  }

  @Test
  void eachIdIsARequestOfItsOwn() {
    assertThat(scancel.run("scancel", "--ctld", "12", "60_4", "60_[6-7,9],13")).isZero();
    assertThat(controller().taken().stream().map(c -> ((Command.CancelJobs) c).jobs()))
        .containsExactlyInAnyOrder(
            List.of("12"), List.of("60_4"), List.of("60_[6-7,9]"), List.of("13"));
  }

  @Test
  void filtersSelectWithoutIds() {
    scancel.run("scancel", "-u", "root", "-t", "pd", "-p", "main", "-n", "a b", "-s", "USR1");
    Command.CancelJobs cancel = taken();
    assertThat(cancel.jobs()).isEmpty();
    assertThat(cancel.signal()).isEqualTo("USR1");
    assertThat(cancel.filters())
        .isEqualTo(Map.of("user", "root", "state", "PENDING", "partition", "main", "name", "a b"));
  }

  @Test
  void nothingToCancelIsAnError() {
    assertThat(scancel.run("scancel")).isEqualTo(1);
    assertThat(scancel.err()).isEqualTo("scancel: error: No job identification provided\n");
    assertThat(scancel.run("scancel", "abc")).isEqualTo(1);
    assertThat(scancel.err()).isEqualTo("scancel: error: Invalid job id abc\n");
    assertThat(scancel.run("scancel", "-u", "nosuch")).isEqualTo(1);
    assertThat(scancel.err()).isEqualTo("scancel: error: Invalid user name: nosuch\n");
    assertThat(scancel.run("scancel", "-t", "FOO", "-u", "root")).isEqualTo(1);
    assertThat(controller().taken()).isEmpty();
  }

  @Test
  void aJobThatIsGoneIsCancelledAlready() {
    controller().answer(c -> new Reply.Refused(SlurmError.INVALID_JOB_ID, null));
    assertThat(scancel.run("scancel", "99999")).isZero();
    assertThat(scancel.err()).isEmpty();
    scancel.run("scancel", "-v", "99999");
    assertThat(scancel.err())
        .isEqualTo(
            "scancel: Terminating job 99999\n"
                + "scancel: error: Kill job error on job id 99999: Invalid job id specified\n");
  }

  @Test
  void oneOfSeveralThatIsNotThereKeepsNoOtherFromBeingCancelled() throws IOException {
    fill();
    scancel = serveAgain();
    String error = "scancel: error: Kill job error on job id 99999: Invalid job id specified\n";
    for (List<String> options :
        List.of(List.of("-s", "USR1"), List.of("-b"), List.of("-t", "pd"), List.of("-n", "big"))) {
      List<String> words = new ArrayList<>(List.of("scancel"));
      words.addAll(options);
      words.addAll(List.of("99999", "3"));
      words.removeFirst();
      assertThat(scancel.run("scancel", words.toArray(String[]::new)))
          .as("%s", options)
          .isEqualTo(1);
      assertThat(scancel.err()).isEqualTo(error);
      assertThat(taken().jobs()).containsExactly("3");
    }
    controller().answer(c -> new Reply.Refused(SlurmError.INVALID_JOB_ID, null));
    assertThat(scancel.run("scancel", "-f", "99999")).isZero();
    assertThat(scancel.err()).isEmpty();
  }

  @Test
  void aSignalThatThereIsNotIsNamedFirst() {
    assertThat(scancel.run("scancel", "-s", "FOO", "99999")).isEqualTo(1);
    assertThat(scancel.err()).isEqualTo("Unknown job signal: FOO\n");
    assertThat(controller().taken()).isEmpty();
    assertThat(scancel.run("scancel", "-s", "SIGUSR2", "-u", "root")).isZero();
  }

  @Test
  void aStepOfAJobThatHasNotBegunIsNotThere() throws IOException {
    fill();
    scancel = serveAgain();
    assertThat(scancel.run("scancel", "3.0")).isEqualTo(1);
    assertThat(scancel.err())
        .isEqualTo("scancel: error: Kill job error on job step id 3.0: Invalid job id specified\n");
    assertThat(scancel.run("scancel", "3.batch")).isEqualTo(1);
    assertThat(scancel.err()).isEqualTo("scancel: error: Invalid job id 3.batch\n");
    assertThat(controller().taken()).isEmpty();
  }

  @Test
  void aJobOfSomebodyElseIsRefusedWithTheErrorsCode() {
    controller().answer(c -> new Reply.Refused(SlurmError.ACCESS_DENIED, null));
    assertThat(scancel.run("scancel", "14")).isEqualTo(210);
    assertThat(scancel.err())
        .isEqualTo("scancel: error: Kill job error on job id 14: Access/permission denied\n");
  }

  @Test
  void jobsThatAreChosenByTheirNameAreNamedEachWhenNoneCanBeSignalled() {
    String lines =
        "error: Kill job error on job id 3: Job can not be altered now, try again later\n"
            + "error: Kill job error on job id 5_1: Job can not be altered now, try again later";
    controller().answer(c -> new Reply.Refused(SlurmError.TRY_AGAIN, lines));
    assertThat(scancel.run("scancel", "-b", "-s", "INT", "-n", "b1")).isEqualTo(228);
    assertThat(scancel.err())
        .isEqualTo(
            "scancel: error: Kill job error on job id 3: Job can not be altered now, try again"
                + " later\nscancel: error: Kill job error on job id 5_1: Job can not be altered"
                + " now, try again later\n");
  }

  @Test
  void anotherClusterIsRefusedAndNothingIsCancelled() {
    assertThat(scancel.run("scancel", "-M", "other", "12")).isEqualTo(1);
    assertThat(scancel.err())
        .startsWith("scancel: error: No cluster 'other' known by database.\n")
        .contains("scancel: error: 'other' can't be reached now, or it is an invalid entry");
    assertThat(scancel.set("SLURM_CLUSTERS", "other").run("scancel", "12")).isEqualTo(1);
    assertThat(controller().taken()).isEmpty();
    assertThat(scancel.run("scancel", "-M", "lab", "12")).isZero();
    assertThat(taken().jobs()).containsExactly("12");
  }

  @Test
  void interactiveAsksForEachJobAndTakesSilenceForNo() throws IOException {
    fill();
    scancel = serveAgain();
    scancel.input("what\ny\nn\n").run("scancel", "-i", "3", "4", "5");
    assertThat(scancel.out())
        .isEqualTo(
            "Cancel job_id=3 name=big partition=main [y/n]? "
                + "Cancel job_id=3 name=big partition=main [y/n]? "
                + "Cancel job_id=4 name=name with | and = partition=main [y/n]? "
                + "Cancel job_id=5 name=deps partition=main [y/n]? ");
    assertThat(taken().jobs()).containsExactly("3");
  }

  @Test
  void interactiveAsksForWhatTheFiltersSelect() throws IOException {
    fill();
    scancel = serveAgain();
    scancel.input("y\ny\ny\n").run("scancel", "--interactive", "-u", "carol", "-t", "pending");
    assertThat(scancel.out()).isEqualTo("Cancel job_id=3 name=big partition=main [y/n]? ");
    assertThat(taken().jobs()).containsExactly("3");
    assertThat(scancel.input("y\n").run("scancel", "-i", "-u", "dave", "-t", "pending")).isZero();
    assertThat(scancel.out()).startsWith("Cancel job_id=6_[").doesNotContain("%");
  }

  @Test
  void aUserOfTheClusterNeedNotBeOneOfThisMachine() throws IOException {
    lab.submit(JobSpec.job("x").user("only-in-the-lab"));
    scancel = serveAgain();
    assertThat(scancel.run("scancel", "-u", "only-in-the-lab")).isZero();
    assertThat(taken().filters()).containsEntry("user", "only-in-the-lab");
  }

  @Test
  void whatIsSaidOfTheJobAndOfCrontabsGoesWithTheRequest() {
    assertThat(scancel.run("scancel", "--admin-comment=broken disk", "-c", "12")).isZero();
    assertThat(taken().filters()).isEqualTo(Map.of("admin-comment", "broken disk", "cron", ""));
    assertThat(scancel.run("scancel", "--admin-comment=x")).isEqualTo(1);
    assertThat(scancel.err()).isEqualTo("scancel: error: No job identification provided\n");
    assertThat(scancel.set("SCANCEL_CRON", "").run("scancel", "12")).isZero();
    assertThat(taken().filters()).isEqualTo(Map.of("cron", ""));
  }
}
