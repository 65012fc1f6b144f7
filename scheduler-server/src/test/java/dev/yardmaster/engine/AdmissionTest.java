package dev.yardmaster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private final Lab lab =
      Lab.with()
          .nodes("n[1-8]")
          .partition("main", "n[1-8]", p -> p.withIsDefault(true))
          .topology(
              new Topology.Tree(
                  "default",
                  List.of(
                      new Topology.Switch("leaf1", List.of(), List.of("n1", "n2", "n3", "n4")),
                      new Topology.Switch("leaf2", List.of(), List.of("n5", "n6", "n7", "n8")),
                      new Topology.Switch("core", List.of("leaf1", "leaf2"), List.of()))))
          .build();

  private List<Admission.Problem> check(JobSpec spec) {
    int id = lab.submit(spec);
    Job job = lab.job(id);
    return Admission.check(lab.state(), job.withRequest(job.request().withSwitches(1)), lab.now());
  }

  @Test
  void aWishForFewerSwitchesThanThereCanBeIsNoReasonToRefuse() {
    assertThat(check(JobSpec.job("five").nodes(5).exclusive())).isEmpty();
  }

  @Test
  void whatNoNodeHasRemainsOne() {
    assertThat(check(JobSpec.job("gpus").nodes(2).gpus(99))).isNotEmpty();
  }
}
