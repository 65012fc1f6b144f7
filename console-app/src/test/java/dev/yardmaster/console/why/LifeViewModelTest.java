package dev.yardmaster.console.why;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.why.LifeViewModel.Chosen;
import dev.yardmaster.console.why.LifeViewModel.Life;
import dev.yardmaster.console.why.WhyViewModel.Content;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LifeViewModelTest {
  private static final Instant BEGAN = SampleCluster.NOW.minus(Duration.ofHours(3));

  private final TestCluster cluster = TestCluster.sample();
  private final WhyViewModel why =
      new WhyViewModel(
          cluster.model(),
          cluster.selection(),
          TestCluster.terms("en"),
          TestCluster.words("en"),
          cluster.tasks());
  private final LifeViewModel life = why.life();

  @AfterEach
  void close() {
    cluster.close();
  }

  private LifePage page() {
    assertThat(life.lifeProperty().get()).isInstanceOf(Life.Known.class);
    return life.lifeProperty().get() instanceof Life.Known known ? known.page() : throwing();
  }

  private static LifePage throwing() {
    throw new AssertionError();
  }

  @Test
  void theLifeOfTheSelectedJobIsTold() {
    assertThat(life.lifeProperty().get()).isEqualTo(new Life.None());
    cluster.selection().set(Items.job(4688));

    assertThat(page().bands())
        .extracting(LifePage.Band::tone)
        .containsExactly(Tone.BLOCKED, Tone.ATTENTION, Tone.ATTENTION, Tone.ACCENT);
    assertThat(page().bands().getFirst().line())
        .isEqualTo("Mon 15:16 – Mon 15:46 · 30 min · waits because it was held (JobHeldUser)");
    assertThat(page().bands().get(1).edits()).containsExactly("Mon 15:46 root set release");
    assertThat(page().summary()).startsWith("Waited 2 h 30 in all: 1 h 30 for jobs before it");
  }

  @Test
  void theStopsAreTheChanges() {
    cluster.selection().set(Items.job(4711));
    life.previous();
    assertThat(life.chosenProperty().get())
        .isEqualTo(new Chosen(BEGAN.plus(Duration.ofHours(2)), 30));
    life.previous();
    life.previous();
    life.previous();
    assertThat(life.chosenProperty().get()).isEqualTo(new Chosen(BEGAN, 10));
    life.next();
    life.next();
    life.next();
    assertThat(life.chosenProperty().get()).isNull();
  }

  @Test
  void aMomentIsExplainedInPlaceOfThePresent() {
    cluster.selection().set(Items.job(4711));
    life.previous();

    assertThat(why.contentProperty().get()).isInstanceOf(Content.Past.class);
    assertThat(why.asOfProperty().get()).startsWith("As it was ");
    assertThat(cluster.client().commands()).contains("explain 4711 2026-11-30T17:16:00Z 30");

    cluster.show(SampleJobs.all());
    cluster.pass(WhyViewModel.REFRESH_AFTER);
    assertThat(why.contentProperty().get()).isInstanceOf(Content.Past.class);

    life.now();
    assertThat(why.contentProperty().get()).isInstanceOf(Content.Waiting.class);
    assertThat(why.asOfProperty().get()).startsWith("As of ");
  }

  @Test
  void aTimeMayBeWritten() {
    cluster.selection().set(Items.job(4711));
    assertThat(life.choose("16:30")).isTrue();
    assertThat(life.chosenProperty().get())
        .isEqualTo(new Chosen(Instant.parse("2026-11-30T16:30:00Z"), 0));
    assertThat(life.choose("23:30")).isTrue();
    assertThat(life.chosenProperty().get())
        .as("of yesterday, when it is still to come today")
        .isEqualTo(new Chosen(Instant.parse("2026-11-29T23:30:00Z"), 0));
    assertThat(life.choose("soon")).isFalse();
    assertThat(life.problemProperty().get()).startsWith("soon is no time. Write 03:20");
  }

  @Test
  void aMomentThatCannotBeToldLeavesWhatIsShown() {
    cluster.selection().set(Items.job(4711));
    cluster
        .client()
        .fail(
            new ClientException.Refused(
                "NO_SUCH_MOMENT", 2118, "No such moment", "the history begins 2026-11-30T01:00"));
    life.choose("16:30");
    assertThat(life.problemProperty().get())
        .isEqualTo("This moment cannot be explained: the history begins 2026-11-30T01:00");
    assertThat(why.contentProperty().get()).isInstanceOf(Content.Waiting.class);
  }

  @Test
  void anotherJobIsLookedAtAsItIsNow() {
    cluster.selection().set(Items.job(4711));
    life.previous();
    cluster.selection().set(Items.job(4688));
    assertThat(life.chosenProperty().get()).isNull();
    assertThat(why.contentProperty().get()).isInstanceOf(Content.Ran.class);
  }

  @Test
  void aHistoryThatDoesNotComeCanBeAskedForAgain() {
    cluster.client().fail(new ClientException.Unreachable("no answer within 10 s", null));
    cluster.selection().set(Items.job(4711));
    assertThat(life.lifeProperty().get()).isEqualTo(new Life.Failed("no answer within 10 s"));
    cluster.client().fail(null);
    life.askAgain();
    assertThat(page().bands()).hasSize(3);
  }
}
