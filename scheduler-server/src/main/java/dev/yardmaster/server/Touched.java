package dev.yardmaster.server;

import dev.yardmaster.engine.state.Event;
import java.util.SortedSet;
import java.util.TreeSet;

/** What events may have changed since a reader was last told. */
final class Touched {
  private final SortedSet<Integer> jobs = new TreeSet<>();
  private final SortedSet<String> nodes = new TreeSet<>();
  private final SortedSet<String> partitions = new TreeSet<>();
  private final SortedSet<String> reservations = new TreeSet<>();
  private boolean everything;

  void add(Event event) {
    jobs.addAll(event.jobIds());
    switch (event) {
      case Event.ConfigApplied e -> everything = true;
      case Event.NodeChanged e -> nodes.add(e.node());
      case Event.NodesPlanned e -> {
        nodes.addAll(e.planned().expand());
        nodes.addAll(e.free().expand());
      }
      case Event.PartitionChanged e -> partitions.add(e.partition().name());
      case Event.PartitionDeleted e -> partitions.add(e.name());
      case Event.ReservationSaved e -> reservations.add(e.reservation().name());
      case Event.ReservationDeleted e -> reservations.add(e.name());
      default -> {}
    }
  }

  /** Whether all has changed, so that only a snapshot tells it. */
  boolean everything() {
    return everything;
  }

  boolean isEmpty() {
    return !everything
        && jobs.isEmpty()
        && nodes.isEmpty()
        && partitions.isEmpty()
        && reservations.isEmpty();
  }

  SortedSet<Integer> jobs() {
    return jobs;
  }

  SortedSet<String> nodes() {
    return nodes;
  }

  SortedSet<String> partitions() {
    return partitions;
  }

  SortedSet<String> reservations() {
    return reservations;
  }
}
