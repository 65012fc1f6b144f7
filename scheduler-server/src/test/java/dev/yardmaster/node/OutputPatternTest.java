package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutputPatternTest {
  private static final Job JOB =
      Jobs.running(128, new JobOwner("alice", 1001, "alice", 1001, "", "", ""), "/work")
          .withName("../../etc/x");
  private static final Job TASK = Jobs.task(JOB, 120, 17);

  @ParameterizedTest
  @CsvSource({
    "slurm-%j.out, slurm-128.out",
    "%5j, 00128",
    "%2j, 128",
    "%A_%a, 128_4294967294",
    "%N/%n.%t.%s, n1/0.0.batch",
    "%u-%x, alice-.._.._etc_x",
    "%%j, %j",
    "100%, 100%",
    "%q-%9, %q-%9",
    "\\%j, %j",
    "plain, plain"
  })
  void codesAreReplaced(String pattern, String name) {
    assertThat(OutputPattern.expand(pattern, JOB, "n1.example.org")).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({"%A_%a, 120_17", "%3a, 017", "%b, 7", "%j, 128"})
  void codesOfAnArrayTask(String pattern, String name) {
    assertThat(OutputPattern.expand(pattern, TASK, "n1")).isEqualTo(name);
  }

  @Test
  void withoutAPatternTheDefaultIsThatOfSlurm() {
    assertThat(OutputPattern.orDefault("", JOB)).isEqualTo("slurm-%j.out");
    assertThat(OutputPattern.orDefault("", TASK)).isEqualTo("slurm-%A_%a.out");
    assertThat(OutputPattern.orDefault("x", TASK)).isEqualTo("x");
  }

  @Test
  void aJobsNameAloneIsNoWayOut() {
    assertThat(OutputPattern.expand("%x", JOB.withName(".."), "n1")).isEqualTo("_");
  }
}
