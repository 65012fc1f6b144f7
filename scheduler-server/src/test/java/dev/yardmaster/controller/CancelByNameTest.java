package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Immutable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs that are cancelled or signalled by what they are called. */
class CancelByNameTest {
  private final Bench bench = Bench.ready(Map.of());

  @Test
  void aJobThatWasChosenByItsNameAndCannotBeSignalledIsNamed() {
    int id = bench.submit("hold", "job-name=b1");
    Reply reply =
        bench.handle(
            new Command.CancelJobs(BOB, List.of(), Immutable.sortedMap(Map.of("name", "b1")), ""));
    assertThat(((Reply.Refused) reply).detail())
        .isEqualTo("error: Kill job error on job id " + id + ": Access/permission denied");
  }
}
