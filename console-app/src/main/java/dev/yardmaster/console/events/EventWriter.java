package dev.yardmaster.console.events;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.NodeGroup;
import dev.yardmaster.console.connect.NodeUse;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells what happened between two snapshots. Nodes that change in the same way at once are one
 * event, so that a rack without power is one line. Immutable; may be used by any thread.
 */
public final class EventWriter {
  private final Terms terms;

  public EventWriter(Terms terms) {
    this.terms = terms;
  }

  /** What happened from one to the next, the earliest first. */
  public List<ClusterEvent> between(Snapshot before, Snapshot after) {
    List<ClusterEvent> events = new ArrayList<>();
    for (Job job : after.jobs()) {
      Job was = before.job(job.id()).orElse(null);
      if (was != job) {
        job(was, job, after.time(), events);
      }
    }
    for (Job job : before.jobs()) {
      if (!job.state().isFinished() && after.job(job.id()).isEmpty()) {
        events.add(job(job, "left", after.time(), Tone.NEUTRAL, text(EventsText.JOB_LEFT, job)));
      }
    }
    nodes(before, after, events);
    reservations(before, after, events);
    partitions(before, after, events);
    events.sort(Comparator.comparing(ClusterEvent::time));
    return events;
  }

  private void job(@Nullable Job was, Job job, Instant at, List<ClusterEvent> events) {
    boolean task = job.array() != null && job.array().taskId() != null;
    if (was == null && !task) {
      String user = job.owner().user();
      events.add(
          job(
              job,
              "submitted",
              job.submitted(),
              Tone.NEUTRAL,
              terms.text(EventsText.JOB_SUBMITTED, job.displayId(), job.name(), user)));
    }
    JobState from = was == null ? JobState.PENDING : was.state();
    if (from != job.state()) {
      events.add(changed(from, job, at));
    }
    Hold held = was == null ? Hold.NONE : was.hold();
    if (job.state() == JobState.PENDING && from == JobState.PENDING && held != job.hold()) {
      boolean released = job.hold() == Hold.NONE;
      events.add(
          job(
              job,
              released ? "released" : "held",
              at,
              released ? Tone.NEUTRAL : Tone.ATTENTION,
              text(released ? EventsText.JOB_RELEASED : EventsText.JOB_HELD, job)));
    }
  }

  private ClusterEvent changed(JobState from, Job job, Instant at) {
    return switch (job.state()) {
      case PENDING ->
          job(
              job,
              "requeued/" + job.restarts(),
              at,
              Tone.ATTENTION,
              text(EventsText.JOB_REQUEUED, job));
      case RUNNING ->
          from == JobState.SUSPENDED
              ? job(job, "resumed", at, Tone.ACCENT, text(EventsText.JOB_RESUMED, job))
              : job(job, "started", job.started() == null ? at : job.started(), started(job));
      case SUSPENDED ->
          job(job, "suspended", at, Tone.ATTENTION, text(EventsText.JOB_SUSPENDED, job));
      default -> ended(job, at);
    };
  }

  private String started(Job job) {
    String nodes = job.allocation() == null ? "" : job.allocation().nodes().toString();
    return terms.text(EventsText.JOB_STARTED, job.displayId(), job.name(), nodes);
  }

  private ClusterEvent ended(Job job, Instant at) {
    String how = terms.state(job.state());
    String reason = terms.reason(job);
    return new ClusterEvent(
        "job/" + job.id() + "/ended",
        job.ended() == null ? at : job.ended(),
        terms.tone(job),
        terms.text(
            EventsText.JOB_ENDED,
            job.displayId(),
            job.name(),
            reason.isEmpty() ? how : how + " · " + reason),
        Items.job(job),
        switch (job.state()) {
          case PREEMPTED, NODE_FAIL, BOOT_FAIL -> true;
          default -> false;
        });
  }

  private String text(EventsText text, Job job) {
    return terms.text(text, job.displayId(), job.name());
  }

  private static ClusterEvent job(Job job, String what, Instant at, String text) {
    return job(job, what, at, Tone.ACCENT, text);
  }

  private static ClusterEvent job(Job job, String what, Instant at, Tone tone, String text) {
    return new ClusterEvent("job/" + job.id() + "/" + what, at, tone, text, Items.job(job), false);
  }

  /** In which way a node changed. */
  private record Change(NodeGroup group, boolean takesWork, String reason) {
    boolean fault() {
      return group == NodeGroup.DOWN || group == NodeGroup.NOT_RESPONDING;
    }
  }

  private void nodes(Snapshot before, Snapshot after, List<ClusterEvent> events) {
    Map<Change, List<String>> changes = new LinkedHashMap<>();
    for (NodeUse use : after.nodes().values()) {
      NodeUse was = before.node(use.name()).orElse(null);
      if (was == null || was.group() == use.group() || was.node() == use.node()) {
        continue;
      }
      if (!was.group().takesWork() || !use.group().takesWork()) {
        changes.computeIfAbsent(change(use), c -> new ArrayList<>()).add(use.name());
      }
    }
    changes.forEach((change, names) -> events.add(nodes(change, names, after.time())));
  }

  /** All ways of taking work again are the same change. */
  private static Change change(NodeUse use) {
    return use.group().takesWork()
        ? new Change(NodeGroup.IDLE, true, "")
        : new Change(use.group(), false, use.node().status().reason());
  }

  private ClusterEvent nodes(Change change, List<String> names, Instant at) {
    String folded = HostList.fold(names);
    return new ClusterEvent(
        "nodes/" + folded + "/" + change.group(),
        at,
        terms.tone(change.group()),
        text(change, names.size(), folded),
        Items.node(names.getFirst()),
        change.fault());
  }

  private String text(Change change, int count, String folded) {
    if (change.takesWork()) {
      return terms.text(EventsText.NODES_BACK, count, folded);
    }
    String group = terms.group(change.group(), count);
    return change.reason().isEmpty()
        ? terms.text(EventsText.NODES_NOW, count, folded, group)
        : terms.text(EventsText.NODES_NOW_REASON, count, folded, group, change.reason());
  }

  private void reservations(Snapshot before, Snapshot after, List<ClusterEvent> events) {
    for (Reservation reservation : after.reservations().values()) {
      if (!before.reservations().containsKey(reservation.name())) {
        String nodes = reservation.nodes().isEmpty() ? "" : HostList.fold(reservation.nodes());
        events.add(
            reservation(
                reservation.name(),
                "made",
                after.time(),
                terms.text(EventsText.RESERVATION_NEW, reservation.name(), nodes)));
      }
    }
    for (String name : before.reservations().keySet()) {
      if (!after.reservations().containsKey(name)) {
        events.add(
            reservation(name, "gone", after.time(), terms.text(EventsText.RESERVATION_GONE, name)));
      }
    }
  }

  private static ClusterEvent reservation(String name, String what, Instant at, String text) {
    return new ClusterEvent(
        "reservation/" + name + "/" + what,
        at,
        Tone.RESERVATION,
        text,
        Items.reservation(name),
        false);
  }

  private void partitions(Snapshot before, Snapshot after, List<ClusterEvent> events) {
    for (Partition partition : after.partitions().values()) {
      Partition was = before.partitions().get(partition.name());
      if (was != null && was.state() != partition.state()) {
        events.add(
            new ClusterEvent(
                "partition/" + partition.name() + "/" + partition.state(),
                after.time(),
                Tone.ATTENTION,
                terms.text(
                    EventsText.PARTITION_STATE,
                    partition.name(),
                    partition.state().name(),
                    was.state().name()),
                Items.partition(partition.name()),
                false));
      }
    }
  }
}
