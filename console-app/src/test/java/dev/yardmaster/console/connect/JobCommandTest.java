package dev.yardmaster.console.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.console.connect.JobCommand.Verb;
import dev.yardmaster.console.fixture.FixtureClient;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBuilder;
import dev.yardmaster.model.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobCommandTest {
  private static final Job PLAIN = SampleJobs.pend(7, "a", "nlp", 1, 1, 1, Reason.PRIORITY, 1, 1);
  private static final Job ARRAY =
      JobBuilder.builder(PLAIN)
          .id(12)
          .array(new ArrayInfo(12, null, IndexSet.range(4, 9), 2))
          .build();

  @Test
  void theRestOfAnArrayIsNamedWithoutItsRunningTasks() {
    assertThat(JobCommand.id(ARRAY)).isEqualTo("12_[4-9]");
  }

  @Test
  void commandLinesCanBePastedIntoAShell() {
    assertThat(JobCommand.of(Verb.CANCEL, List.of(PLAIN, ARRAY)).commandLine())
        .isEqualTo("scancel 7 '12_[4-9]'");
    assertThat(JobCommand.of(Verb.HOLD, List.of(PLAIN, ARRAY)).commandLine())
        .isEqualTo("scontrol hold 7,'12_[4-9]'");
  }

  @Test
  void eachVerbIsSentAsItsOwnRequest() throws ClientException {
    FixtureClient client = new FixtureClient();

    JobCommand.of(Verb.HOLD, List.of(PLAIN)).send(client.client());
    JobCommand.of(Verb.RELEASE, List.of(PLAIN)).send(client.client());
    JobCommand.of(Verb.CANCEL, List.of(PLAIN)).send(client.client());

    assertThat(client.commands())
        .containsExactly("holdJobs[7, false]", "releaseJobs[7]", "cancelJobs[[7], {}, ]");
  }
}
