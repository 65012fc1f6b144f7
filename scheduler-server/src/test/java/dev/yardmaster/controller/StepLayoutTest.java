package dev.yardmaster.controller;

import static dev.yardmaster.engine.JobSpec.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.engine.Lab;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobStep;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Steps of a job that has three nodes of four CPUs each. */
class StepLayoutTest {
  private static Job job3() {
    Lab lab =
        Lab.with()
            .nodes("n[1-3]", n -> n.with(s -> s.sockets(1).coresPerSocket(4).cpus(4)))
            .partition("train", "n[1-3]", p -> p)
            .build();
    int id = lab.submit(job("three").p("train").nodes(3).exclusive());
    lab.pass();
    return Objects.requireNonNull(lab.state().job(id));
  }

  private static String lay(String options) {
    return lay(options, false);
  }

  private static String lay(String options, boolean packs) {
    TreeMap<String, String> map = new TreeMap<>();
    for (String option : options.split(" ")) {
      String[] parts = option.split("=", 2);
      map.put(parts[0], parts.length == 2 ? parts[1] : "");
    }
    ClusterConfig config = TestCluster.config();
    if (packs) {
      config =
          config.withScheduling(config.scheduling().withSelectParameters(Set.of("CR_PACK_NODES")));
    }
    List<JobStep.OnNode> layout =
        new StepLayout(job3(), new Options(Immutable.sortedMap(map)), config, List.of()).lay();
    StringBuilder out = new StringBuilder();
    for (JobStep.OnNode node : layout) {
      out.append(out.isEmpty() ? "" : " ").append(node.node()).append(node.tasks());
    }
    return out.toString().replace(", ", ",");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ntasks=8|n1[0,1,2] n2[3,4,5] n3[6,7]",
        "ntasks=8 distribution=block|n1[0,1,2] n2[3,4,5] n3[6,7]",
        "ntasks=8 distribution=cyclic|n1[0,3,6] n2[1,4,7] n3[2,5]",
        "ntasks=8 distribution=plane=2|n1[0,1,6,7] n2[2,3] n3[4,5]",
        "ntasks=7 nodes=2 distribution=plane=2|n1[0,1,4,5] n2[2,3,6]",
        "ntasks=4 cpus-per-task=2|n1[0,1] n2[2] n3[3]",
        "ntasks=3 nodelist=n3,n1,n1 distribution=arbitrary|n1[1,2] n3[0]",
      })
  void tasksGoRoundTheNodesAndAreNumberedByTheMethod(String options, String layout) {
    assertThat(lay(options)).isEqualTo(layout);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true|ntasks=6|n1[0,1,2,3] n2[4,5]",
        "true|ntasks=6 nodes=3|n1[0,1,2,3] n2[4] n3[5]",
        "true|ntasks=6 nodes=1-3|n1[0,1,2,3] n2[4,5]",
        "true|ntasks=6 distribution=block:cyclic|n1[0,1,2,3] n2[4,5]",
        "true|ntasks=6 distribution=block,nopack|n1[0,1] n2[2,3] n3[4,5]",
        "true|ntasks=6 distribution=cyclic|n1[0,3] n2[1,4] n3[2,5]",
        "true|ntasks=3 cpus-per-task=2|n1[0,1] n2[2]",
        "false|ntasks=6 distribution=pack|n1[0,1,2,3] n2[4,5]",
        "false|ntasks=6 distribution=block,Pack|n1[0,1,2,3] n2[4,5]",
        "false|ntasks=6 distribution=cyclic,Pack|n1[0,3] n2[1,4] n3[2,5]",
      })
  void packedTasksFillOneNodeAfterTheOther(boolean packs, String options, String layout) {
    assertThat(lay(options, packs)).isEqualTo(layout);
  }

  @Test
  void aNodeTakesNoMoreTasksThanItHasCpusHoweverOftenItIsNamed() {
    assertThatThrownBy(() -> lay("nodelist=n1,n1,n1,n1,n1 distribution=arbitrary"))
        .isInstanceOf(Refusal.class);
  }
}
