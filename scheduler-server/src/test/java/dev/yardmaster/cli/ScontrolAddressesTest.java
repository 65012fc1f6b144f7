package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ScontrolAddressesTest extends CommandTestBase {
  @Test
  void theAddressesOfNodesAreListed() throws IOException {
    Captured command = serve();
    assertThat(command.run("scontrol", "getaddrs", "n1,nosuch")).isZero();
    assertThat(command.out()).matches("n1: \\S+:[0-9]+\n");
    assertThat(command.run("scontrol", "getaddrs")).isOne();
    assertThat(command.err()).contains("one argument required for keyword:getaddrs");
  }
}
