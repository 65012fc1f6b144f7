package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** strigger(1), as Slurm says and shows it. */
class StriggerTest extends CommandTestBase {
  private Captured command = new Captured();

  @BeforeEach
  void prepare() throws IOException {
    fill();
    command = serve();
  }

  private int run(String line) {
    return command.run("strigger", line.isEmpty() ? new String[0] : line.split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "'';strigger: error: You must use exactly one of the following options: --set, --get or"
            + " --clear",
        "--set; strigger: error: You must specify a trigger",
        "--set --down; strigger: error: You must specify a --program value",
        "--set --down --program=true; strigger: error: The --program value must start with \"/\"",
        "--set --down --program=/nonexistent; 'strigger: error: Invalid --program value, file not"
            + " found'",
        "--set --fini --program=/bin/sh; strigger: error: You must specify a --jobid value",
        "--set --jobid=abc --fini -p /bin/sh; strigger: error: Invalid jobid abc",
        "--set --jobid=999 --fini -p /bin/sh; 'slurm_set_trigger: Invalid job id specified'",
        "--set --node=nosuch --down -p /bin/sh; 'slurm_set_trigger: Invalid node name specified'",
        "--set --down --flags=x -p /bin/sh; strigger: error: Invalid flags x",
        "--clear; 'strigger: error: You must specify a --id, --jobid, or --user to clear'",
        "--clear --id=1; 'slurm_clear_trigger: No such process'"
      })
  void whatIsWrongIsSaidInSlurmsWords(String line, String text) {
    assertThat(run(line)).isEqualTo(1);
    assertThat(command.err().lines().findFirst()).contains(text);
  }

  @Test
  void triggersAreSetListedAndCleared() {
    assertThat(run("--get")).isZero();
    assertThat(command.out()).isEmpty();
    assertThat(run("--set --node=n[1-2] --up -o 60 --flags=perm -p /bin/sh")).isZero();
    assertThat(run("--set --drained --idle -p /bin/sh")).isZero();
    assertThat(run("--set --jobid=1 --fini -p /bin/sh")).isZero();
    assertThat(run("--set --jobid=1 --fini -p /bin/sh")).isEqualTo(1);
    assertThat(command.err()).isEqualTo("slurm_set_trigger: Duplicate event trigger\n");
    assertThat(run("--set --primary_slurmctld_failure -p /bin/sh")).isZero();
    assertThat(run("--set --burst_buffer -p /bin/sh")).isZero();
    String head =
        "TRIG_ID RES_TYPE   RES_ID TYPE                                OFFSET USER     FLAGS"
            + " PROGRAM\n";
    String up =
        "      1 node       n[1-2] up                                      60 root     PERM "
            + " /bin/sh\n";
    assertThat(run("--get")).isZero();
    assertThat(command.out())
        .isEqualTo(
            head
                + up
                + "      2 node            * unknown                                  0 root       "
                + "    /bin/sh\n"
                + "      3 job             1 fini                                     0 root       "
                + "    /bin/sh\n"
                + "      4 slurmctld       * primary_slurmctld_failure                0 root       "
                + "    /bin/sh\n"
                + "      5 other      (null) burst_buffer                             0 root       "
                + "    /bin/sh\n");
    assertThat(run("--get -u")).isZero();
    assertThat(command.out()).isEqualTo(head + up);
    assertThat(run("--get --noheader --id=1")).isZero();
    assertThat(command.out()).isEqualTo(up);
    assertThat(run("--clear --jobid=1")).isZero();
    assertThat(run("--clear --user=root")).isZero();
    assertThat(run("--get -v")).isZero();
    assertThat(command.err()).isEqualTo("strigger: Read 0 trigger records\n");
  }
}
