package dev.yardmaster.console.why;

import dev.yardmaster.console.kit.Tone;
import java.time.Instant;
import java.util.List;

/**
 * The life of a job as it is shown: what held it from when until when, in the user's language.
 *
 * @param bands one after another without gaps; empty when nothing is known
 * @param summary how long it waited for what; empty when it did not wait
 */
record LifePage(List<Band> bands, String summary) {
  LifePage {
    bands = List.copyOf(bands);
  }

  /**
   * A time in which the job showed the same.
   *
   * @param until the present for the last one of a job that lives
   * @param moment the number of the event that began it
   * @param label in a word or two
   * @param line the whole in a line
   * @param edits who changed the job in this time, a line each
   * @param over whether nothing more is to come, so that its length says nothing
   */
  record Band(
      Instant from,
      Instant until,
      long moment,
      String label,
      String line,
      List<String> edits,
      Tone tone,
      boolean over) {
    Band {
      edits = List.copyOf(edits);
    }

    /** Whether a time lies in it. */
    boolean has(Instant at) {
      return !at.isBefore(from) && (over || at.isBefore(until));
    }
  }

  /** The band of a time, of an event when one is given; -1 for none. */
  int indexOf(Instant at, long moment) {
    int found = -1;
    for (int i = 0; i < bands.size(); i++) {
      Band band = bands.get(i);
      if (moment > 0 ? band.moment() <= moment : !band.from().isAfter(at)) {
        found = i;
      }
    }
    return found;
  }
}
