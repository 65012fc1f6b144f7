package dev.yardmaster.console.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.kit.Tone;
import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class NoticesTest {
  private static final Instant NOW = Instant.parse("2026-11-30T18:16:00Z");

  private final Notices notices = new Notices();

  private static Notice notice(String id, int second) {
    return new Notice(id, NOW.plusSeconds(second), Tone.ATTENTION, id, null);
  }

  @Test
  void anEventIsToldOnceHoweverOftenItComes() {
    for (int i = 0; i < 1_000; i++) {
      notices.offer(notice("job/733/ended", 0));
    }
    notices.dismiss(notices.shownProperty().get().getFirst());
    notices.offer(notice("job/733/ended", 0));

    assertThat(notices.shownProperty().get()).isEmpty();
  }

  @Test
  void theSameThingAtAnotherTimeIsAnotherEvent() {
    notices.offer(notice("job/733/ended", 0));
    notices.offer(notice("job/733/ended", 60));

    assertThat(notices.shownProperty().get()).hasSize(2);
  }

  @Property
  void fewAreShownAndTheOthersAreCounted(@ForAll @IntRange(min = 1, max = 500) int events) {
    Notices many = new Notices();
    for (int i = 0; i < events; i++) {
      many.offer(notice("job/" + i, i));
    }

    assertThat(many.shownProperty().get()).hasSize(Math.min(events, Notices.SHOWN));
    assertThat(many.shownProperty().get().getFirst().id()).isEqualTo("job/" + (events - 1));
    assertThat(many.foldedProperty().get()).isEqualTo(Math.max(0, events - Notices.SHOWN));
  }

  @Test
  void nothingIsToldWhileTheUserIsNotToBeDisturbedNorLater() {
    notices.offer(notice("before", 0));
    notices.quietProperty().set(true);
    notices.offer(notice("meanwhile", 1));
    notices.quietProperty().set(false);
    notices.offer(notice("meanwhile", 1));

    assertThat(notices.shownProperty().get()).isEmpty();
  }

  @Test
  void withTheLastNoticeTheNumberOfOlderOnesGoes() {
    for (int i = 0; i < 10; i++) {
      notices.offer(notice("job/" + i, i));
    }
    notices.shownProperty().get().forEach(notices::dismiss);

    assertThat(notices.foldedProperty().get()).isZero();
  }
}
