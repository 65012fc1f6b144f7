package dev.yardmaster.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.model.PartitionState;
import dev.yardmaster.model.text.HostList;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommonsTest {
  private final Lab lab = Lab.sixNodes();

  private static JobSpec job(String name) {
    return JobSpec.job(name).nodes(2).gpus(4);
  }

  @Test
  void equalRequestsAndOwnersAreOneObject() {
    int first = lab.submit(job("first"));
    int second = lab.submit(job("second"));
    assertThat(lab.job(second).request()).isSameAs(lab.job(first).request());
    assertThat(lab.job(second).owner()).isSameAs(lab.job(first).owner());
    assertThat(lab.job(second).partitions()).isSameAs(lab.job(first).partitions());
  }

  @Test
  void aPassSeesNodesAsTheyAreAfterAnEarlierPassSawThemOtherwise() {
    int first = lab.submit(job("first"));
    lab.pass();
    lab.cancel(first);
    lab.node("n[1-5]", "down");
    int second = lab.submit(job("second"));
    lab.pass();
    assertThat(lab.job(second).started()).isNull();
    lab.node("n[1-5]", "up");
    lab.pass();
    assertThat(lab.job(second).started()).isNotNull();
  }

  @Test
  void aPassSeesAPartitionAsItIsAfterAnEarlierPassSawItOtherwise() {
    int first = lab.submit(job("first"));
    lab.pass();
    lab.cancel(first);
    var before = lab.state().partitions().firstEntry().getValue();
    lab.apply(
        new Event.PartitionChanged(
            lab.now(), before.withNodes(HostList.parse("n6").expand()), "root"));
    int second = lab.submit(job("second"));
    lab.pass();
    assertThat(lab.job(second).started()).isNull();
    lab.apply(new Event.PartitionChanged(lab.now(), before, "root"));
    lab.partition(before.name(), PartitionState.UP);
    lab.pass();
    assertThat(lab.job(second).started()).isNotNull();
  }

  @Test
  void whatStatesShareDoesNotMakeThemDiffer() {
    ClusterState state = lab.state();
    ClusterState alone =
        new ClusterState(
            state.config(),
            state.nodes(),
            state.partitions(),
            state.jobs(),
            state.reservations(),
            state.accounting(),
            state.usage(),
            state.nextJobId(),
            state.time());
    assertThat(alone).isEqualTo(state).hasSameHashCodeAs(state);
  }

  @Test
  void thingsAreFoundByThemselvesNotByWhatTheyEqual() {
    Identities<List<String>, Integer> found = new Identities<>();
    for (int i = 0; i < 1000; i++) {
      List<String> key = new ArrayList<>();
      assertThat(found.get(key)).isNull();
      found.put(key, i);
      assertThat(found.get(key)).isEqualTo(i);
    }
    assertThat(found.size()).isEqualTo(1000);
    found.clear();
    assertThat(found.size()).isZero();
  }
}
