package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobStateTextTest {

  @ParameterizedTest
  @EnumSource
  void everyStateIsReadByNameByLettersAndCut(JobState state) {
    for (String text :
        List.of(state.name(), state.code(), state.name().toLowerCase(), state.name() + "+")) {
      JobStateText read = JobStateText.parse(text);
      assertThat(read.base()).isEqualTo(state);
      assertThat(read.flags()).isEmpty();
      assertThat(read.unknown()).isEmpty();
      assertThat(read).hasToString(state.name()).returns(state.code(), JobStateText::code);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyFlagIsReadByNameAndByLetters(JobFlag flag) {
    for (String text : List.of(flag.name(), flag.code())) {
      JobStateText read = JobStateText.parse(text);
      assertThat(read.base()).isNull();
      assertThat(read.flags()).containsExactly(flag);
    }
  }

  @Test
  void cancelledSaysByWhom() {
    JobStateText state = JobStateText.parse("CANCELLED by 54321");
    assertThat(state.base()).isEqualTo(JobState.CANCELLED);
    assertThat(state.by()).isEqualTo("54321");
    assertThat(state.isFinished()).isTrue();
    assertThat(JobStateText.parse(state.toString())).isEqualTo(state);
    assertThat(state.code()).isEqualTo("CA");
  }

  @ParameterizedTest
  @CsvSource({
    "OUT_OF_MEMORY, OUT_OF_MEMORY",
    "OUT_OF_ME+, OUT_OF_MEMORY",
    "CANCELLED+, CANCELLED",
    "COMPLETE+, COMPLETED",
    "NODE_FAIL, NODE_FAIL",
    "' RUNNING ', RUNNING",
  })
  void cutColumnsOfSacctAreRead(String text, JobState state) {
    assertThat(JobStateText.parse(text).base()).isEqualTo(state);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NEW_STATE", "?", "R Q", "COMP", "PENDINGS"})
  void whatIsNotKnownIsKept(String text) {
    JobStateText state = JobStateText.parse(text);
    assertThat(state.base()).isNull();
    assertThat(state.unknown()).containsExactly(text);
    assertThat(state.isFinished()).isFalse();
    assertThat(state.code()).isEqualTo("?");
    assertThat(state).hasToString("UNKNOWN");
  }

  @Test
  void theEmptyTextIsUnknownToo() {
    assertThat(JobStateText.parse(""))
        .returns(null, JobStateText::base)
        .returns("?", JobStateText::code);
  }

  @Test
  void aFlagStandsInPlaceOfTheBaseState() {
    JobStateText state = JobStateText.fromJson(List.of("COMPLETED", "COMPLETING"));
    assertThat(state).isEqualTo(JobStateText.of(JobState.COMPLETED, JobFlag.COMPLETING));
    assertThat(state).hasToString("COMPLETING").returns("CG", JobStateText::code);
    assertThat(JobStateText.of(JobState.PENDING, JobFlag.REQUEUE_HOLD).code()).isEqualTo("RH");
    assertThat(JobStateText.of(JobState.RUNNING, JobFlag.CONFIGURING).code()).isEqualTo("CF");
    assertThat(JobStateText.of(JobState.RUNNING, JobFlag.POWER_UP_NODE).code()).isEqualTo("R");
  }

  @Property(tries = 200)
  void theWordReadsBackToItself(@ForAll JobState base, @ForAll JobFlag flag) {
    String word = JobStateText.of(base, flag).toString();
    assertThat(JobStateText.parse(word)).hasToString(word);
    String code = JobStateText.of(base, flag).code();
    assertThat(JobStateText.parse(code)).returns(code, JobStateText::code);
  }
}
