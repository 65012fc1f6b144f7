package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SinfoTogetherTest extends CommandTestBase {
  @Test
  void sinfoNamesTheReservationThatHoldsANodeNow() throws Exception {
    lab.reserve("now", lab.now().minusSeconds(60), 60, "n[1-2]", "root", "MAINT");
    lab.reserve("later", lab.now().plusSeconds(7200), 60, "n3", "root", "MAINT");
    Captured command = serve();
    assertThat(command.run("sinfo", "-h", "-N", "-p", "main", "-O", "nodelist:3,reservation:6"))
        .isZero();
    assertThat(command.out().lines().map(String::stripTrailing))
        .containsExactly("n1 now", "n2 now", "n3", "n4");
    assertThat(command.run("sinfo", "-h", "-p", "main", "-o", "%N|%i")).isZero();
    assertThat(command.out()).contains("n[1-2]|now\n");
  }

  @Test
  void sinfoLooksAtSummariesFirstThenAtNodesThenAtReasons() throws Exception {
    Captured command = serve();
    assertThat(command.run("sinfo", "-R", "-N")).isZero();
    assertThat(command.out()).isEqualTo("NODELIST   NODES PARTITION STATE \n");
    assertThat(command.run("sinfo", "-R", "-s")).isZero();
    assertThat(command.out()).startsWith("PARTITION AVAIL  TIMELIMIT");
  }
}
