package dev.yardmaster.server;

import dev.yardmaster.controller.Controller;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.Trigger;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NotationException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The triggers of strigger(1), and what sets them off. Programs are started by {@link #tick}, with
 * the nodes, the job or the word for what happened as their last argument.
 */
final class TriggerBook implements Controller.Follower {
  private final InstantSource clock;
  private final BiConsumer<String, String> runner;
  private final Consumer<List<Trigger>> keeper;
  private final Map<Integer, Trigger> triggers = new TreeMap<>();
  private final Map<String, NodeStatus> known = new HashMap<>();
  private final Map<String, Instant> idleSince = new HashMap<>();
  private final List<Firing> firing = new ArrayList<>();
  private @Nullable ClusterState state;
  private int last;

  /** What was set off, and when its program is to run. */
  private static final class Firing {
    private final Trigger trigger;
    private final Set<String> what = new LinkedHashSet<>();
    private final Instant due;

    Firing(Trigger trigger, Instant due) {
      this.trigger = trigger;
      this.due = due;
    }
  }

  /**
   * @param kept what was there before
   * @param keeper keeps all of them, each time they change
   * @param runner starts a program with a last argument
   */
  TriggerBook(
      List<Trigger> kept,
      Consumer<List<Trigger>> keeper,
      BiConsumer<String, String> runner,
      InstantSource clock) {
    this.keeper = keeper;
    this.runner = runner;
    this.clock = clock;
    for (Trigger trigger : kept) {
      triggers.put(trigger.id(), trigger);
      last = Math.max(last, trigger.id());
    }
  }

  synchronized List<Trigger> all() {
    return List.copyOf(triggers.values());
  }

  /** Adds a trigger; false when there is the same already. */
  synchronized boolean set(Trigger trigger, String user) {
    boolean there =
        triggers.values().stream()
            .anyMatch(t -> t.of(0, "").equals(trigger.of(0, "")) && t.user().equals(user));
    if (there) {
      return false;
    }
    last++;
    triggers.put(last, trigger.of(last, user));
    keeper.accept(all());
    return true;
  }

  /** Removes triggers; false when none is one of them. */
  synchronized boolean clear(Predicate<Trigger> which) {
    List<Trigger> gone = triggers.values().stream().filter(which).toList();
    gone.forEach(trigger -> forget(trigger.id()));
    if (!gone.isEmpty()) {
      keeper.accept(all());
    }
    return !gone.isEmpty();
  }

  private void forget(int id) {
    triggers.remove(id);
    firing.removeIf(f -> f.trigger.id() == id);
  }

  @Override
  public synchronized void start(ClusterState newState, long sequence) {
    state = newState;
    known.clear();
    newState.nodes().values().forEach(node -> known.put(node.name(), node.status()));
    happened(Trigger.Resource.SLURMCTLD, "primary_slurmctld_resumed_operation", "*");
  }

  @Override
  public synchronized void next(List<Event> events, ClusterState after, long sequence) {
    state = after;
    for (Event event : events) {
      switch (event) {
        case Event.NodeChanged e -> changed(e.node(), e.status(), after);
        case Event.NodeReleased e -> freed(e.node(), after);
        case Event.JobReleased e -> drainedNow(after);
        case Event.JobCompleting e -> happened(e.jobId());
        case Event.JobEnded e -> happened(e.jobId());
        case Event.ConfigApplied e -> happened(Trigger.Resource.NODE, "reconfig", "reconfig");
        default -> {}
      }
    }
  }

  private void happened(int job) {
    happened(Trigger.Resource.JOB, "fini", Integer.toString(job));
  }

  private void changed(String name, NodeStatus now, ClusterState after) {
    NodeStatus before = known.put(name, now);
    if (before == null) {
      return;
    }
    boolean wasDown = before.base() == NodeBaseState.DOWN;
    boolean isDown = now.base() == NodeBaseState.DOWN;
    if (isDown && !wasDown) {
      happened(Trigger.Resource.NODE, "down", name);
    } else if (wasDown && !isDown) {
      happened(Trigger.Resource.NODE, "up", name);
    }
    if (now.flags().contains(NodeFlag.FAIL) && !before.flags().contains(NodeFlag.FAIL)) {
      happened(Trigger.Resource.NODE, "fail", name);
    }
    boolean drains = now.flags().contains(NodeFlag.DRAIN);
    if (drains && !before.flags().contains(NodeFlag.DRAIN)) {
      happened(Trigger.Resource.NODE, isBusy(name, after) ? "draining" : "drained", name);
    } else if (!drains && before.flags().contains(NodeFlag.DRAIN)) {
      happened(Trigger.Resource.NODE, "resume", name);
    }
  }

  /** A node that drains is drained when nothing is left on it. */
  private void freed(String name, ClusterState after) {
    NodeStatus status = known.get(name);
    boolean drains = status != null && status.flags().contains(NodeFlag.DRAIN);
    if (drains && watches("drained") && !isBusy(name, after)) {
      happened(Trigger.Resource.NODE, "drained", name);
    }
  }

  private void drainedNow(ClusterState after) {
    if (watches("drained")) {
      List.copyOf(known.keySet()).forEach(name -> freed(name, after));
    }
  }

  private boolean watches(String kind) {
    return triggers.values().stream().anyMatch(t -> t.kinds().contains(kind));
  }

  private static boolean isBusy(String node, ClusterState state) {
    return state.jobs().values().stream()
        .anyMatch(
            job ->
                job.holdsResources()
                    && job.allocation() != null
                    && job.allocation().shares().stream().anyMatch(s -> s.node().equals(node)));
  }

  /** Sets off what watches this; several nodes of one moment are told together. */
  private void happened(Trigger.Resource of, String kind, String what) {
    for (Trigger trigger : triggers.values()) {
      if (trigger.of() == of && trigger.kinds().contains(kind) && covers(trigger, what)) {
        Instant due = clock.instant().plusSeconds(trigger.offset());
        Firing open =
            firing.stream().filter(f -> f.trigger.id() == trigger.id()).findFirst().orElse(null);
        if (open == null) {
          open = new Firing(trigger, due);
          firing.add(open);
        }
        open.what.add(what);
      }
    }
  }

  private static boolean covers(Trigger trigger, String what) {
    if (trigger.of() == Trigger.Resource.JOB) {
      return trigger.resource().equals(what);
    }
    if (trigger.resource().isEmpty() || trigger.resource().equals("*") || what.equals("reconfig")) {
      return true;
    }
    try {
      return HostList.parse(trigger.resource()).contains(what);
    } catch (NotationException e) {
      return false;
    }
  }

  /** Looks at what time alone sets off, and starts the programs whose time has come. */
  void tick() {
    List<Firing> due = new ArrayList<>();
    synchronized (this) {
      Instant now = clock.instant();
      ofTime(now);
      for (Firing one : List.copyOf(firing)) {
        if (!one.due.isAfter(now)) {
          firing.remove(one);
          due.add(one);
          if (!one.trigger.permanent()) {
            triggers.remove(one.trigger.id());
          }
        }
      }
      if (due.stream().anyMatch(one -> !one.trigger.permanent())) {
        keeper.accept(all());
      }
    }
    for (Firing one : due) {
      boolean nodes = one.trigger.of() == Trigger.Resource.NODE;
      runner.accept(
          one.trigger.program(),
          nodes && !one.what.contains("reconfig")
              ? HostList.fold(one.what)
              : String.join(",", one.what));
    }
  }

  private void ofTime(Instant now) {
    ClusterState seen = state;
    if (seen == null || triggers.isEmpty()) {
      return;
    }
    if (watches("idle")) {
      seen.nodes().values().forEach(node -> idle(node, seen, now));
    }
    for (Trigger trigger : List.copyOf(triggers.values())) {
      if (!trigger.kinds().contains("time") || !trigger.resource().matches("[0-9]{1,9}")) {
        continue;
      }
      Job job = seen.job(Integer.parseInt(trigger.resource()));
      Instant end = job == null || job.state() != JobState.RUNNING ? null : job.ended();
      boolean open = firing.stream().anyMatch(f -> f.trigger.id() == trigger.id());
      if (end != null && !open && !end.plusSeconds(trigger.offset()).isAfter(now)) {
        Firing reached = new Firing(trigger, now);
        reached.what.add(trigger.resource());
        firing.add(reached);
      }
    }
  }

  /** A node that has been idle for as long as a trigger says; once each time it is. */
  private void idle(Node node, ClusterState seen, Instant now) {
    boolean idle =
        node.status().base() == NodeBaseState.IDLE
            && node.status().flags().isEmpty()
            && !isBusy(node.name(), seen);
    if (!idle) {
      idleSince.remove(node.name());
      return;
    }
    if (idleSince.putIfAbsent(node.name(), now) == null) {
      happened(Trigger.Resource.NODE, "idle", node.name());
    }
  }
}
