package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.Lab;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A partition that names a QOS which nobody has added is said, once for each name. */
class UnknownQosTest {
  @Test
  void eachNameIsSaidWithThePartitionTheKeyAndTheCommand() {
    Lab lab =
        Lab.with()
            .nodes("n1")
            .partition("a", "n1", p -> p.withQos("gone"))
            .partition("b", "n1", p -> p.withAllowQos(List.of("normal", "lost")))
            .setting("AccountingStorageEnforce", "qos")
            .build();
    assertThat(UnknownQos.of(lab.state()))
        .containsExactly(
            "PartitionName=a QOS=gone: there is no QOS gone; add it with: sacctmgr -i add qos gone",
            "PartitionName=b AllowQos=lost: there is no QOS lost; add it with: sacctmgr -i add qos"
                + " lost");
  }

  @Test
  void nothingIsSaidWhereNoAccountsAreKept() {
    Lab lab = Lab.with().nodes("n1").partition("a", "n1", p -> p.withQos("gone")).build();
    assertThat(UnknownQos.of(lab.state())).isEmpty();
  }
}
