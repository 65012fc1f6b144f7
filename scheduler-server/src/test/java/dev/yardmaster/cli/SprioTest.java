package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.JobSpec;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SprioTest extends CommandTestBase {
  private Captured sprio = new Captured();

  @BeforeEach
  void prepare() throws IOException {
    fill();
    sprio = serve();
  }

  @Test
  void theFactorsThatWeighSomethingOfJobsInTheOrder() {
    assertThat(sprio.run("sprio")).isZero();
    assertThat(sprio.out())
        .isEqualTo(
            """
                      JOBID PARTITION   PRIORITY       SITE        AGE    JOBSIZE  PARTITION
                          3 main            1425          0          0        425       1000
            """);
  }

  @Test
  void theLongListing() {
    sprio.run("sprio", "-l", "-h");
    assertThat(sprio.out().stripTrailing())
        .isEqualTo(
            "              3 main         carol      lab       1425          0          0         "
                + " 0          0        425       1000     normal          0           0");
  }

  @Test
  void theWeights() {
    sprio.run("sprio", "-w", "-h");
    assertThat(sprio.out())
        .isEqualTo(
            "        Weights                               1       1000       1000       1000\n");
  }

  @Test
  void normalizedFactors() {
    sprio.run("sprio", "-h", "-o", "%i %j %J");
    assertThat(sprio.out()).matches("3 0\\.4250000 425\n");
  }

  @Test
  void filters() {
    sprio.run("sprio", "-h", "-u", "alice");
    assertThat(sprio.out()).isEmpty();
    assertThat(sprio.run("sprio", "-j", "99999")).isZero();
    assertThat(sprio.out().lines()).hasSize(1).first().asString().contains("PRIORITY");
  }

  @Test
  void whyTellsTheAnswerFirst() {
    assertThat(sprio.run("why", "3")).isZero();
    assertThat(sprio.out().lines().findFirst().orElseThrow()).startsWith("Job 3 big waits");
    assertThat(sprio.run("why", "--json", "3")).isZero();
    assertThat(sprio.out()).contains("\"verdict\" : \"SOON\"").contains("\"evidenceKind\"");
    assertThat(sprio.run("why", "99")).isEqualTo(1);
    assertThat(sprio.err())
        .isEqualTo(
            "yardmaster why: 99: Invalid job id specified (no such job is known, nor was there"
                + " one)\n");
  }

  @Test
  void whatItDoesNotKnowIsSaid() {
    assertThat(sprio.run("sprio", "12")).isEqualTo(1);
    assertThat(sprio.err())
        .startsWith("sprio: error: Unrecognized option: 12\nUsage: sprio [-j jid[s]] ");
    sprio.run("sprio", "-u", "root");
    assertThat(sprio.out()).startsWith("          JOBID PARTITION     USER   PRIORITY ");
    assertThat(sprio.run("sprio", "-j", "abc")).isEqualTo(1);
    assertThat(sprio.err()).isEqualTo("sprio: error: Invalid job id: abc\n");
    assertThat(sprio.run("sprio", "-h", "-u", "nosuch")).isZero();
    assertThat(sprio.err()).isEqualTo("sprio: error: Invalid user: nosuch\n\n");
    assertThat(sprio.run("sprio", "-l", "-o", "%i")).isEqualTo(1);
    assertThat(sprio.run("sprio", "-M", "other")).isEqualTo(1);
    assertThat(sprio.out()).isEmpty();
  }

  @Test
  void aJobOfSeveralPartitionsIsListedOnceForEach() throws IOException {
    int both = lab.submit(JobSpec.job("both").nodes(4).exclusive().p("main", "slow"));
    lab.pass();
    sprio = serve();
    String id = Integer.toString(both);
    sprio.run("sprio", "-h", "-j", id, "-o", "%i %r");
    assertThat(sprio.out()).isEqualTo(id + " slow\n" + id + " main\n");
    sprio.run("sprio", "-h", "-j", id, "-p", "slow", "-o", "%i %r");
    assertThat(sprio.out()).isEqualTo(id + " slow\n");
  }
}
