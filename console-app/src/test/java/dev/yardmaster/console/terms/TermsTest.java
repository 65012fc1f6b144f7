package dev.yardmaster.console.terms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.connect.NodeGroup;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBuilder;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TermsTest {
  private static final Job PENDING = SampleJobs.pend(7, "a", "nlp", 1, 1, 1, Reason.PRIORITY, 1, 1);

  @ParameterizedTest
  @EnumSource(Reason.class)
  void everyReasonHasWordsInEveryLanguage(Reason reason) {
    assertThat(TestCluster.terms("en").reason(reason)).isNotBlank().isNotEqualTo(reason.text());
    assertThat(TestCluster.terms("es").reason(reason)).isNotBlank().isNotEqualTo(reason.text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"en", "es"})
  void everyStateHasAWord(String language) {
    Terms terms = TestCluster.terms(language);
    for (JobState state : JobState.values()) {
      assertThat(terms.state(state)).isNotBlank();
    }
    for (NodeGroup group : NodeGroup.values()) {
      assertThat(terms.group(group, 1)).isNotBlank();
      assertThat(terms.group(group, 5)).isNotBlank();
    }
  }

  @Test
  void aHeldJobNeedsAttentionAndOneThatWaitsForResourcesDoesNot() {
    assertThat(Terms.needsAttention(with(Reason.RESOURCES))).isFalse();
    assertThat(Terms.needsAttention(with(Reason.DEPENDENCY_NEVER_SATISFIED))).isTrue();
    assertThat(Terms.needsAttention(with(Reason.BAD_CONSTRAINTS))).isTrue();
  }

  @Test
  void onlyALimitThatOthersGiveBackIsWorthWaitingFor() {
    for (Reason reason : Reason.values()) {
      String word = reason.text();
      if (word.startsWith("AssocGrp") || word.startsWith("QOSGrp") || word.contains("PerUser")) {
        boolean ofTime = word.contains("Wall");
        assertThat(Terms.needsAttention(with(reason))).as(word).isEqualTo(ofTime);
      }
      if (word.contains("PerJob") || word.contains("NotAllowed")) {
        assertThat(Terms.needsAttention(with(reason))).as(word).isTrue();
      }
    }
  }

  private static Job with(Reason reason) {
    return JobBuilder.builder(PENDING).reason(reason).build();
  }

  @Test
  void runningTimeIsRightThroughTheHourThatRepeats() {
    Instant before = Instant.parse("2026-10-25T00:30:00Z");
    Job job = JobBuilder.builder(PENDING).state(JobState.RUNNING).started(before).build();

    assertThat(Terms.elapsed(job, Instant.parse("2026-10-25T01:30:00Z")))
        .isEqualTo(Duration.ofHours(1));
  }

  @Test
  void nothingTakesLessThanNoTime() {
    assertThat(Terms.elapsed(PENDING, SampleCluster.NOW.minus(Duration.ofDays(1)))).isZero();
  }

  @Test
  void unlimitedIsAWordAndNotANumber() {
    assertThat(TestCluster.terms("en").limit(Partition.UNLIMITED)).isEqualTo("no limit");
  }

  @Test
  void memoryHasItsUnit() {
    Terms terms = TestCluster.terms("en");

    assertThat(terms.memory(512)).isEqualTo("512\u00a0MiB");
    assertThat(terms.memory(1_536)).isEqualTo("1.5\u00a0GiB");
    assertThat(terms.memory(921_600)).isEqualTo("900\u00a0GiB");
    assertThat(terms.memoryOf(411_648, 491_520)).isEqualTo("402 / 480\u00a0GiB");
  }
}
