package dev.yardmaster.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CodecTest {
  private static final byte[] NOTHING = "{}".getBytes(UTF_8);
  private final Codec codec = new Codec();

  static Class<?>[] eventTypes() {
    return Event.class.getPermittedSubclasses();
  }

  @ParameterizedTest
  @MethodSource("eventTypes")
  void everyEventIsReadAsItWasWritten(Class<? extends Record> type) {
    for (long seed = 0; seed < 200; seed++) {
      Event event = (Event) new RandomValues(seed).record(type);
      byte[] body = codec.write(event);
      assertThat(codec.readEvent("f", "event 1", Codec.VERSION, Codec.typeName(event), body))
          .as("seed %d: %s", seed, new String(body, UTF_8))
          .isEqualTo(event);
    }
  }

  @Test
  void aScriptIsReadAsItWasWritten() {
    for (long seed = 0; seed < 100; seed++) {
      JobScript script = new RandomValues(seed).record(JobScript.class);
      assertThat(codec.read("f", "s", Codec.VERSION, JobScript.class, codec.write(script)))
          .isEqualTo(script);
    }
  }

  @Test
  void anAbsentComponentGetsItsDefaultAndAnUnknownOneIsIgnored() {
    Job job =
        codec.read(
            "f", "j", 1, Job.class, "{\"id\":7,\"colour\":\"red\",\"nested\":{}}".getBytes(UTF_8));
    assertThat(job.id()).isEqualTo(7);
    assertThat(job.partitions()).isEmpty();
    assertThat(job.flags()).isEmpty();
    assertThat(job.name()).isEmpty();
    assertThat(job.reservation()).isNull();
    assertThat(job.dependency()).isNull();
    assertThat(job.directPriority()).isNull();
  }

  @Test
  void halfACharacterIsRefusedRatherThanChanged() {
    assertThatThrownBy(() -> codec.write(Samples.job(1).withName("half \ud800 of one")))
        .isInstanceOf(JournalException.class)
        .hasMessageContaining("no valid Unicode");
  }

  @Test
  void whatIsZeroOrEmptyIsNotWritten() {
    byte[] body =
        codec.write(
            new Event.JobCompleting(
                Instant.ofEpochSecond(5), 3, 0, JobState.COMPLETED, ExitCode.OK, Reason.NONE));
    assertThat(new String(body, UTF_8))
        .isEqualTo(
            "{\"at\":5,\"jobId\":3,\"finalState\":\"COMPLETED\",\"exitCode\":{},\"reason\":\"NONE\"}");
  }

  @Test
  void aRecordOfANewerFormIsRefusedByName() {
    assertThatThrownBy(() -> codec.read("dir/journal.db", "event 9", 2, Job.class, NOTHING))
        .hasMessageContaining("dir/journal.db")
        .hasMessageContaining("event 9")
        .hasMessageContaining("newer release");
    assertThatThrownBy(() -> codec.readEvent("f", "event 9", 2, "JobFrobbed", NOTHING))
        .hasMessageContaining("unknown type JobFrobbed");
  }

  @Test
  void theSnapshotKnowsEveryComponentOfTheState() {
    assertThat(Snapshot.components())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(ClusterState.class.getRecordComponents())
                .map(RecordComponent::getName)
                // says nothing of its own
                .filter(name -> !name.equals("commons"))
                .toList());
  }
}
