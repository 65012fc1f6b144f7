package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * What jobs with the same wish for a node share: which nodes serve them, and from when on each is
 * ready. A plan only fills, so the earliest start of a job only moves later, and a search begins
 * where the last one for an equal or lesser job ended.
 */
final class Need {
  private record Bound(int nodes, long minutes, long start) {}

  private final Shape sample;
  private final int uid;
  private final long[] serving;
  private final int count;
  private final List<Bound> bounds = new ArrayList<>();
  private Readiness readiness;
  private Timeline.Ready order;
  private int version;

  /**
   * What jobs like a sample need.
   *
   * @param readiness as it was found before any job was started
   */
  Need(Shape sample, int uid, Readiness readiness) {
    this.sample = sample;
    this.uid = uid;
    this.readiness = readiness;
    serving = readiness.serving();
    count = Bits.count(serving);
    order = new Timeline.Ready(readiness);
  }

  /** Brings the times up to date after jobs were started. */
  void refresh(Future future, int newVersion) {
    if (version != newVersion) {
      version = newVersion;
      readiness = future.readiness(sample, uid, serving);
      order = new Timeline.Ready(readiness);
    }
  }

  /** How many nodes serve at all. */
  int count() {
    return count;
  }

  long[] serving() {
    return serving;
  }

  long ready(int node) {
    return readiness.times()[node];
  }

  Timeline.Ready order() {
    return order;
  }

  Future.Groups groups() {
    return readiness.groups();
  }

  /** No earlier start is possible for a job of so many nodes and so long. */
  long notBefore(int nodes, long minutes) {
    long best = Long.MIN_VALUE;
    for (Bound bound : bounds) {
      if (bound.nodes <= nodes && bound.minutes <= minutes && bound.start > best) {
        best = bound.start;
      }
    }
    return best;
  }

  /** Remembers what a search found; {@link Future#NEVER} for nothing before the horizon. */
  void found(int nodes, long minutes, long start) {
    for (int i = 0; i < bounds.size(); i++) {
      Bound bound = bounds.get(i);
      if (bound.nodes == nodes && bound.minutes == minutes) {
        bounds.set(i, new Bound(nodes, minutes, start));
        return;
      }
    }
    bounds.add(new Bound(nodes, minutes, start));
  }
}
