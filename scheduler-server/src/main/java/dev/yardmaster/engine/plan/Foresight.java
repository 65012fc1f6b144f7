package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What many looks ahead from one moment share: how far they are played, and when nodes become
 * ready, as long as the same jobs run on the same nodes. A plan on a fork in which that differs
 * works for itself.
 */
public final class Foresight {
  private record Known(Partition partition, Readiness readiness) {}

  private final Map<Plan.Key, Known> known = new LinkedHashMap<>();
  private List<Job> holders = List.of();
  private long @Nullable [] up;
  private @Nullable Instant played;

  /** Until when they are played, {@code Instant.MIN} for not at all; null before the first. */
  @Nullable Instant played() {
    return played;
  }

  void plays(Instant until) {
    played = until;
  }

  /** Whether a board is one of those that share. The first that is asked about says what is. */
  boolean covers(Board board) {
    if (up == null) {
      up = board.plannable();
      holders = List.copyOf(board.holders());
      return true;
    }
    if (up != board.plannable() || holders.size() != board.holders().size()) {
      return false;
    }
    for (int i = 0; i < holders.size(); i++) {
      if (holders.get(i) != board.holders().get(i)) {
        return false;
      }
    }
    return true;
  }

  @Nullable Readiness get(Plan.Key key, Partition partition) {
    Known found = known.get(key);
    return found == null || found.partition != partition ? null : found.readiness;
  }

  void put(Plan.Key key, Partition partition, Readiness readiness) {
    known.put(key, new Known(partition, readiness));
  }
}
