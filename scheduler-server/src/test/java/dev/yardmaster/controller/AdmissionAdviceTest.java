package dev.yardmaster.controller;

import static dev.yardmaster.engine.JobSpec.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.Admission;
import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class AdmissionAdviceTest {
  private static String advice(UnaryOperator<Partition> partition, JobSpec spec) {
    Lab lab =
        Lab.with()
            .nodes("n[1-3]", n -> n.with(s -> s.sockets(1).coresPerSocket(2).cpus(2)))
            .partition("train", "n[1-3]", partition)
            .setting("EnforcePartLimits", "ALL")
            .build();
    int id = lab.submit(spec.p("train"));
    Job job = Objects.requireNonNull(lab.state().job(id));
    var problems = Admission.check(lab.state(), job, lab.now());
    assertThat(problems).isNotEmpty();
    return AdmissionAdvice.of(lab.state(), job, problems.getFirst());
  }

  @Test
  void saysWhatTheJobAsksForAndWhatTheLargestNodeHas() {
    assertThat(advice(p -> p, job("cpus").cpusPerTask(3)))
        .isEqualTo("partition train has at most 2 CPUs on a node, and the job asks for 3 on one");
    assertThat(advice(p -> p, job("mem").mem(100_000)))
        .isEqualTo(
            "partition train has at most 62.50G of memory on a node, and the job asks for 100000M");
    assertThat(advice(p -> p, job("gpus").gpus(9)))
        .isEqualTo("partition train has at most 8 of gpu on a node, and the job asks for 9");
  }

  @Test
  void saysTheRuleOfThePartitionAndItsValue() {
    assertThat(advice(p -> p.with(b -> b.maxMemPerNodeMib(32_000L)), job("mem").mem(40_000)))
        .isEqualTo(
            "partition train allows 32000M of memory on a node (MaxMemPerNode), and the job asks"
                + " for 40000M");
    assertThat(advice(p -> p, job("long").minutes(2_000)))
        .isEqualTo("partition train allows a time limit of 1-00:00:00 (MaxTime)");
    assertThat(advice(p -> p, job("many").nodes(4)))
        .isEqualTo("partition train has 3 nodes, and the job asks for 4");
  }
}
