package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.model.JobState;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SqueueTest extends CommandTestBase {
  private Captured squeue = new Captured();

  @BeforeEach
  void prepare() throws IOException {
    fill();
    squeue = serve();
  }

  @Test
  void theDefaultListing() {
    assertThat(squeue.run("squeue")).isZero();
    assertThat(squeue.out())
        .isEqualTo(
            """
                         JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
                             3      main      big    carol PD       0:00      4 (Resources)
                             5      main     deps    alice PD       0:00      1 (Dependency)
                             4      main name wit    alice PD       0:00      1 (JobHeldUser)
                             1      main    whole      bob  R       1:00      3 n[1-3]
                             2      main     gpus    alice  R       1:00      1 n4
                     6_[2-5%2]      slow      arr     dave PD       0:00      1 (JobArrayTaskLimit)
                           6_0      slow      arr     dave  R       1:00      1 n5
                           6_1      slow      arr     dave  R       1:00      1 n5
            """);
  }

  @Test
  void theLongListingBeginsWithTheTime() {
    squeue.run("squeue", "-l", "-j", "1");
    assertThat(squeue.out())
        .isEqualTo(
            """
            Sun Nov 29 12:01:00 2026
                         JOBID PARTITION     NAME     USER    STATE       TIME TIME_LIMI  NODES NODELIST(REASON)
                             1      main    whole      bob  RUNNING       1:00   1:30:00      3 n[1-3]
            """);
  }

  @Test
  void startTellsOnlyWhatWaits() {
    squeue.run("squeue", "--start", "-h");
    assertThat(squeue.out().lines().findFirst().orElseThrow())
        .isEqualTo(
            "                 3      main      big    carol PD 2026-11-29T13:30:00      4 n[1-4]"
                + "               (Resources)");
    assertThat(squeue.out()).doesNotContain("whole");
  }

  @Test
  void sortsByAnyFieldsWithSigns() {
    squeue.run("squeue", "-h", "-o", "%i", "-S", "-i");
    assertThat(squeue.out().lines())
        .containsExactly("6_[2-5%2]", "6_1", "6_0", "5", "4", "3", "2", "1");
    squeue.run("squeue", "-h", "-o", "%u %i", "-S", "u,-i");
    assertThat(squeue.out().lines())
        .startsWith("alice 5", "alice 4", "alice 2", "bob 1", "carol 3");
    assertThat(squeue.run("squeue", "-S", "i,~")).isEqualTo(1);
    assertThat(squeue.err()).isEqualTo("squeue: error: Invalid sort specification: ~\n");
  }

  @Test
  void filtersByEverythingAndAllOfIt() {
    squeue.run("squeue", "-h", "-o", "%i", "-t", "R");
    assertThat(squeue.out().lines()).containsExactly("1", "2", "6_0", "6_1");
    squeue.run("squeue", "-h", "-o", "%i", "-p", "slow", "-t", "pending");
    assertThat(squeue.out().lines()).containsExactly("6_[2-5%2]");
    squeue.run("squeue", "-h", "-o", "%i", "-w", "n[4-5]", "-S", "i");
    assertThat(squeue.out().lines()).containsExactly("2", "6_0", "6_1");
    squeue.run("squeue", "-h", "-o", "%i", "-n", "name with | and =,big", "-S", "i");
    assertThat(squeue.out().lines()).containsExactly("3", "4");
    squeue.run("squeue", "-h", "-o", "%i", "-j", "6_0,2", "-S", "i");
    assertThat(squeue.out().lines()).containsExactly("2", "6_0");
  }

  @Test
  void aJobOfSeveralPartitionsShowsTheListWhileItWaitsAndTheOneItRunsInAfter() throws IOException {
    int list = lab.submit(JobSpec.job("list").p("main", "slow").nodes(1).exclusive().minutes(5));
    squeue = serveAgain();
    squeue.run("squeue", "-h", "-o", "%P", "-j", Integer.toString(list));
    assertThat(squeue.out()).isEqualTo("main,slow\n");
    lab.cancel(6);
    lab.finish(lab.task(6, 0), JobState.COMPLETED);
    lab.finish(lab.task(6, 1), JobState.COMPLETED);
    lab.pass();
    squeue = serveAgain();
    squeue.run("squeue", "-h", "-o", "%P %t %N", "-j", Integer.toString(list));
    assertThat(squeue.out()).isEqualTo("slow R n5\n");
  }

  @Test
  void aTaskForEachLine() {
    squeue.run("squeue", "-h", "-r", "-o", "%i %K", "-p", "slow", "-S", "i");
    assertThat(squeue.out().lines())
        .containsExactly("6_0 0", "6_1 1", "6_2 2", "6_3 3", "6_4 4", "6_5 5");
  }

  @Test
  void anyTextStaysOneField() {
    squeue.run("squeue", "-h", "-j", "4", "-o", "%i#%j#%t");
    assertThat(squeue.out()).isEqualTo("4#name with | and =#PD\n");
  }

  @Test
  void namedFields() {
    squeue.run("squeue", "-j", "2", "-O", "jobid:6,nodelist:8,tres-alloc:60,timeleft:.8,nosuch");
    assertThat(squeue.err()).isEqualTo("squeue: error: Invalid job format specification: nosuch\n");
    assertThat(squeue.out())
        .isEqualTo(
            "JOBID NODELISTTRES_ALLOC                                                  TIME_LEF\n"
                + "2     n4      cpu=1,mem=1000M,node=1,billing=1,gres/gpu=2                   "
                + " 29:00\n");
  }

  @Test
  void variablesActWhereOptionsAreMissing() {
    squeue.set("SQUEUE_FORMAT", "%i").set("SQUEUE_SORT", "-i").set("SQUEUE_USERS", "root");
    squeue.run("squeue", "-h", "-u", "0");
    assertThat(squeue.out()).isEmpty();
    squeue.set("SQUEUE_STATES", "R");
    squeue.set("SQUEUE_USERS", "");
    squeue.run("squeue", "-h");
    assertThat(squeue.out().lines()).containsExactly("6_1", "6_0", "2", "1");
  }

  @Test
  void errorsHaveSlurmsTextsAndExitCodes() {
    assertThat(squeue.run("squeue", "-j", "99999")).isEqualTo(1);
    assertThat(squeue.err()).isEqualTo("slurm_load_jobs error: Invalid job id specified\n");
    assertThat(squeue.run("squeue", "-u", "nosuch")).isZero();
    assertThat(squeue.err()).isEqualTo("squeue: error: Invalid user: nosuch\n\n");
    assertThat(squeue.run("squeue", "-p", "nosuch", "-h")).isZero();
    assertThat(squeue.out()).isEmpty();
    assertThat(squeue.run("squeue", "-t", "FOO")).isEqualTo(1);
    assertThat(squeue.err())
        .startsWith(
            "squeue: error: Invalid job state specified: FOO\n"
                + "squeue: error: Valid job states include: pending,running,suspended,");
    assertThat(squeue.run("squeue", "--foo")).isEqualTo(1);
    assertThat(squeue.err())
        .isEqualTo(
            "squeue: unrecognized option '--foo'\nTry \"squeue --help\" for more information\n");
    assertThat(squeue.run("squeue", "--version")).isZero();
    assertThat(squeue.out()).isEqualTo("slurm 26.11.0-0rc1\n");
  }

  @Test
  void aControllerThatIsDownIsSaidInOneLine() throws IOException {
    Captured down = serverDown();
    assertThat(down.run("squeue")).isEqualTo(1);
    assertThat(down.out()).isEmpty();
    assertThat(down.err().lines()).hasSize(1);
    assertThat(down.err())
        .isEqualTo("slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n");
    assertThat(down.terminal().run("squeue")).isEqualTo(1);
    assertThat(down.err()).contains("\ncannot reach the controller at 127.0.0.1:1");
  }

  @Test
  void withoutAConfigurationItSaysWhichFileIsMissing() {
    Captured lost = new Captured().set("SLURM_CONF", folder.resolve("no.conf").toString());
    assertThat(lost.run("squeue")).isEqualTo(1);
    assertThat(lost.err())
        .isEqualTo(
            "squeue: fatal: no configuration: "
                + folder.resolve("no.conf")
                + " does not exist; set SLURM_CONF to the cluster's slurm.conf\n");
  }

  @Test
  void jsonHasSlurmsStructure() throws IOException {
    assertThat(squeue.run("squeue", "--json")).isZero();
    JsonNode document = new ObjectMapper().readTree(squeue.out());
    assertThat(document.get("jobs")).hasSize(8);
    JsonNode first = document.get("jobs").get(0);
    assertThat(first.get("job_id").asInt()).isEqualTo(1);
    assertThat(first.get("job_state").get(0).asText()).isEqualTo("RUNNING");
    assertThat(first.get("time_limit").get("number").asInt()).isEqualTo(90);
    assertThat(first.get("nodes").asText()).isEqualTo("n[1-3]");
    assertThat(document.at("/meta/slurm/version/major").asText()).isEqualTo("26");
    assertThat(document.get("errors")).isEmpty();
  }
}
