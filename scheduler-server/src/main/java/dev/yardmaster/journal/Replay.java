package dev.yardmaster.journal;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Applies events to a state, of which the first event of all makes the beginning. */
public final class Replay implements Consumer<Journal.Entry> {
  private final String place;
  private @Nullable ClusterState state;
  private long sequence;

  /**
   * @param place where the events are kept, for what is said of them
   * @param start null to begin with the first event
   */
  public Replay(String place, Journal.@Nullable Recovered start) {
    this.place = place;
    if (start != null) {
      state = start.state();
      sequence = start.sequence();
    }
  }

  /**
   * @throws JournalException for an event that does not fit the state before it
   */
  @Override
  public void accept(Journal.Entry entry) {
    if (state == null) {
      if (!(entry.event() instanceof Event.ConfigApplied first)) {
        throw new DamagedRecordException(
            place, "event " + entry.sequence(), "the first event is not a configuration");
      }
      state = ClusterState.initial(first.config(), first.at());
    } else {
      try {
        state = state.apply(entry.event());
      } catch (IllegalStateException e) {
        throw new JournalException(
            place
                + ": event "
                + entry.sequence()
                + " does not fit the state before it: "
                + e.getMessage(),
            e);
      }
    }
    sequence = entry.sequence();
  }

  /** The state after the last event; null when there was none. */
  public Journal.@Nullable Recovered result() {
    return state == null ? null : new Journal.Recovered(state, sequence);
  }
}
