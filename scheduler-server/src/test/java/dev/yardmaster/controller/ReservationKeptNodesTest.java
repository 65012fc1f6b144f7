package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.SlurmError;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReservationKeptNodesTest {
  private final Bench bench = Bench.ready();

  private Reply create(String fields) {
    return bench.handle(new Command.SaveReservation(ROOT, true, Bench.fields(fields.split(" "))));
  }

  private Reservation get(String name) {
    return Objects.requireNonNull(bench.core.state().reservations().get(name), name);
  }

  @ParameterizedTest
  @CsvSource({"flags=STATIC_ALLOC, n1", "flags=MAINT, n1", "comment=x, n2"})
  void aLostNodeIsReplacedUnlessTheNodesAreFixed(String more, String node) {
    create("reservation=s starttime=now duration=60 nodecnt=1 user=x " + more);
    assertThat(get("s").nodes()).containsExactly("n1");
    bench.nodes(ROOT, "n1", "state=drain", "reason=x");
    bench.pass(2);
    assertThat(get("s").nodes()).containsExactly(node);
  }

  @Test
  void oneOfAPartitionFollowsIt() {
    create(
        "reservation=p starttime=now duration=60 partition=main user=x flags=PART_NODES nodes=ALL");
    bench.handle(new Command.UpdatePartition(ROOT, "main", Bench.fields("nodes=n[1-2]")));
    bench.pass(2);
    assertThat(get("p").nodes()).containsExactly("n1", "n2");
  }

  @ParameterizedTest
  @CsvSource({"STATIC_ALLOC", "MAINT"})
  void nodesThatAreFixedCannotBeExchanged(String flag) {
    Reply reply =
        create("reservation=s starttime=now duration=9 nodecnt=1 user=x flags=REPLACE," + flag);
    assertThat(Bench.error(reply)).isEqualTo(SlurmError.NOT_SUPPORTED);
  }

  @Test
  void timeCountsOnlyWhereNodesInUseAreExchanged() {
    ReplaceTimes times = new ReplaceTimes(TestCluster.NOW);
    create("reservation=d starttime=now duration=9 nodecnt=1 user=x flags=REPLACE_DOWN");
    assertThat(times.next(bench.core.state())).isNull();
    create("reservation=r starttime=now duration=9 nodecnt=1 user=x flags=REPLACE");
    assertThat(times.next(bench.core.state())).isEqualTo(TestCluster.NOW.plusSeconds(30));
  }
}
