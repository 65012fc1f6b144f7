package dev.yardmaster.controller;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.HostList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code scontrol update node}: the whole list and every word is checked before a node changes. As
 * in Slurm a state that a node cannot take is no fault of the nodes named before it, which do; from
 * that node on only the other fields change.
 */
final class NodeCommands {
  private static final String SLURM = "slurm";

  /** What takes a node back into service only when its daemon has answered (scontrol(1)). */
  private static final Set<String> BACK = Set.of("RESUME", "UNDRAIN");

  /** How soon a daemon answers the question whether it is there: Slurm asks each second. */
  private static final long ANSWER_SECONDS = 1;

  private static final Set<String> FIELDS = Set.of("state", "reason", "resumeafter", "nextstate");

  private static final Set<String> OF_STATES = Set.of("state", "resumeafter", "nextstate");

  /** What Slurm changes last, where nothing went wrong before. */
  private static final Set<String> AT_LAST =
      Set.of("weight", "gres", "features", "availablefeatures");

  private final Runs runs;
  private final NodeLinks links;

  /** When a controller that begins asks its nodes for the first time. */
  private static final long FIRST_ASKED_SECONDS = 4;

  /** How often nodes are asked where SlurmdTimeout is 0. */
  private static final Duration USUAL_INTERVAL = Duration.ofSeconds(100);

  /** Nodes that are to answer, and when they will have said that they are there. */
  private final NavigableMap<String, Instant> asked = new TreeMap<>();

  /** When all nodes were, or will be, asked; each third of SlurmdTimeout they are asked again. */
  private Instant lastAsked;

  NodeCommands(Runs runs, NodeLinks links, Instant boot) {
    this.runs = runs;
    this.links = links;
    lastAsked = boot.plusSeconds(FIRST_ASKED_SECONDS);
  }

  Reply update(Turn turn, Command.UpdateNodes command) {
    if (!turn.settings().isAdministrator(command.by())) {
      throw new Refusal(SlurmError.INVALID_USER_ID, "\nonly an administrator may change nodes");
    }
    for (Map.Entry<String, String> field : command.fields().entrySet()) {
      if (!FIELDS.contains(field.getKey()) && !NodeEdits.FIELDS.contains(field.getKey())) {
        throw new Refusal(
            SlurmError.COMMAND_VALUE,
            "Update of this parameter is not supported: "
                + field.getKey()
                + "="
                + field.getValue()
                + "\nRequest aborted");
      }
    }
    List<Node> nodes = nodes(turn, command.nodes());
    List<NodeStatus> changed = new ArrayList<>();
    Refusal refusal = null;
    for (Node node : nodes) {
      NodeStatus next = null;
      try {
        next = refusal == null ? noted(turn, node, command) : null;
      } catch (Refusal e) {
        if (e.reply().error() != SlurmError.INVALID_NODE_STATE) {
          throw e;
        }
        refusal = e;
      }
      changed.add(next == null ? noted(turn, node, without(command, OF_STATES)) : next);
    }
    Command.UpdateNodes edited = refusal == null ? command : without(command, AT_LAST);
    NodeEdits edits = new NodeEdits(edited.fields(), nodes.size());
    for (int i = 0; i < nodes.size(); i++) {
      changed.set(i, edits.applied(nodes.get(i), changed.get(i), i));
    }
    String word = command.fields().getOrDefault("state", "").toUpperCase(Locale.ROOT);
    for (int i = 0; i < nodes.size(); i++) {
      Node node = nodes.get(i);
      NodeStatus next = changed.get(i);
      NodeStatus last = BACK.contains(word) ? asked(turn, node, next) : next;
      change(turn, node.name(), last, command.by().user());
      boolean drains = word.equals("DRAIN") || word.equals("FAIL");
      if (word.equals("POWER_DOWN_FORCE") || drains && last.bootsFirst()) {
        Runs.on(turn, node.name()).forEach(job -> runs.nodeFailed(turn, job, node.name()));
      }
    }
    Reboots.issue(turn, this);
    turn.requestPass();
    return refusal == null ? new Reply.Done(List.of()) : refusal.reply();
  }

  private static Command.UpdateNodes without(Command.UpdateNodes command, Set<String> fields) {
    Map<String, String> rest = new TreeMap<>(command.fields());
    rest.keySet().removeAll(fields);
    return new Command.UpdateNodes(command.by(), command.nodes(), Immutable.sortedMap(rest));
  }

  /** When a node that was asked whether it is there will have answered; null when none was. */
  @Nullable Instant next() {
    return asked.values().stream().min(Comparator.naturalOrder()).orElse(null);
  }

  /** What time does to nodes: reboots that waited are issued, and a time out of service ends. */
  void due(Turn turn) {
    answered(turn);
    Reboots.issue(turn, this);
    Reboots.timeOut(turn, this);
    for (Node node : turn.state().nodes().values()) {
      Instant after = node.status().resumeAfter();
      if (after != null && !after.isAfter(turn.now())) {
        NodeStatus resumed = resumed(node.status(), node.name());
        change(turn, node.name(), asked(turn, node, resumed), SLURM);
        turn.requestPass();
      }
    }
  }

  /** A node that was drained or down is offered again once it has said that it is there. */
  private NodeStatus asked(Turn turn, Node node, NodeStatus next) {
    boolean wasOut = isOutOfService(node.status());
    boolean served = links.isConnected(node.name()) && !next.has(NodeFlag.EXTERNAL);
    if (!served || !wasOut || isOutOfService(next)) {
      return next;
    }
    if (!next.bootsFirst()) {
      asked.put(node.name(), turn.now().plusSeconds(ANSWER_SECONDS));
    }
    return next.withFlags(including(next, NodeFlag.NOT_RESPONDING));
  }

  private static boolean isOutOfService(NodeStatus status) {
    return status.base() != NodeBaseState.IDLE || status.has(NodeFlag.DRAIN);
  }

  /** When one is asked, all are. */
  private void answered(Turn turn) {
    Instant next = next();
    if (next == null || next.isAfter(turn.now())) {
      return;
    }
    lastAsked = next;
    for (String name : List.copyOf(asked.keySet())) {
      Node node = turn.state().node(name);
      asked.remove(name);
      if (node != null) {
        NodeStatus status = node.status();
        change(turn, name, answered(turn, status, name), SLURM);
        turn.requestPass();
      }
    }
  }

  /** The status of a node that says that it is there; ReturnToService=2 brings it back. */
  private NodeStatus answered(Turn turn, NodeStatus status, String name) {
    NodeStatus heard = status.withFlags(responding(status.flags(), name));
    if (!comesBack(turn, status) || !links.isConnected(name)) {
      return heard;
    }
    NodeStatus up = heard.withBase(NodeBaseState.IDLE);
    return up.has(NodeFlag.DRAIN) || up.has(NodeFlag.FAIL) ? up : clean(up);
  }

  /** Whether a node that is down would be in service again as soon as it says that it is there. */
  private static boolean comesBack(Turn turn, NodeStatus status) {
    return status.base() == NodeBaseState.DOWN
        && !status.bootsFirst()
        && turn.settings().returnToService() == 2
        && !status.has(NodeFlag.INVALID_REG)
        && !status.has(NodeFlag.REBOOT_ISSUED);
  }

  /** A node that is silent, or down, is heard of when nodes are asked the next time. */
  private void askLater(Turn turn, String name, NodeStatus status) {
    boolean silent =
        !status.bootsFirst()
            && (status.base() == NodeBaseState.IDLE && status.has(NodeFlag.NOT_RESPONDING)
                || comesBack(turn, status));
    if (silent && !asked.containsKey(name) && links.isConnected(name)) {
      asked.put(name, nextAsked(turn));
    }
  }

  private Instant nextAsked(Turn turn) {
    Duration timeout = turn.settings().slurmdTimeout();
    // Slurm looks each second whether the interval is over, by the time of the look before.
    Duration interval = (timeout.isZero() ? USUAL_INTERVAL : timeout.dividedBy(3)).plusSeconds(1);
    if (lastAsked.isAfter(turn.now())) {
      return lastAsked;
    }
    long times = Duration.between(lastAsked, turn.now()).dividedBy(interval) + 1;
    return lastAsked.plus(interval.multipliedBy(times));
  }

  /** The status after all fields of an update. */
  private NodeStatus noted(Turn turn, Node node, Command.UpdateNodes command) {
    Map<String, String> fields = command.fields();
    String state = fields.getOrDefault("state", "").toUpperCase(Locale.ROOT);
    String reason = fields.getOrDefault("reason", "");
    boolean reboot = state.equals("REBOOT") || state.equals("REBOOT_ASAP");
    NodeStatus next =
        reboot
            ? Reboots.requested(
                turn,
                node.status(),
                state.equals("REBOOT_ASAP"),
                fields.getOrDefault("nextstate", ""),
                reason,
                command.by())
            : changed(turn, node, state, reason, command.by());
    boolean out = next.base() == NodeBaseState.DOWN || next.has(NodeFlag.DRAIN);
    Instant after = out ? resumeAfter(turn, next, state, fields.get("resumeafter")) : null;
    boolean up =
        !out
            && !next.has(NodeFlag.FAIL)
            && !reboot
            && !Reboots.isUnderWay(next)
            && !PowerRequests.isOne(state);
    // As in Slurm a node that is in service has no reason.
    return (up ? clean(next) : next).withResumeAfter(after);
  }

  /** scontrol(1), ResumeAfter: seconds from now; INFINITE or -1 for never. */
  private static @Nullable Instant resumeAfter(
      Turn turn, NodeStatus status, String state, @Nullable String seconds) {
    if (seconds == null) {
      return status.resumeAfter();
    }
    if (!state.equals("DOWN") && !state.equals("DRAIN")) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "You can only specify a resume time when DOWNING or DRAINING a node. Request denied");
    }
    if (seconds.equals("-1") || seconds.equalsIgnoreCase("INFINITE")) {
      return null;
    }
    if (!seconds.matches("[0-9]{1,9}")) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "Invalid input: resumeafter="
              + seconds
              + "\nRequest aborted\nresumeafter is a number of seconds, or INFINITE");
    }
    return turn.now().plusSeconds(Long.parseLong(seconds));
  }

  private static List<Node> nodes(Turn turn, String text) {
    List<Node> nodes = new ArrayList<>();
    if (text.equalsIgnoreCase("ALL")) {
      return turn.state().nodesInOrder();
    }
    try {
      for (String name : HostList.parse(text).expand()) {
        Node node = turn.state().node(name);
        if (node == null) {
          throw new Refusal(SlurmError.INVALID_NODE_NAME, "\nno node is called " + name);
        }
        nodes.add(node);
      }
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.INVALID_NODE_NAME, "\n" + e.getMessage());
    }
    if (nodes.isEmpty()) {
      throw new Refusal(SlurmError.INVALID_NODE_NAME, "\nno node was named");
    }
    return nodes;
  }

  private NodeStatus changed(Turn turn, Node node, String state, String reason, Identity by) {
    NodeStatus status = node.status();
    NodeStatus next =
        switch (state) {
          case "" -> status;
          case "DOWN" -> status.withBase(NodeBaseState.DOWN);
          // Each of the two takes the place of the other.
          case "DRAIN" -> replaced(status, NodeFlag.FAIL, NodeFlag.DRAIN);
          case "FAIL" -> replaced(status, NodeFlag.DRAIN, NodeFlag.FAIL);
          case "FUTURE" ->
              withoutWork(turn, node).withBase(NodeBaseState.FUTURE).withFlags(Set.of());
          case "IDLE" -> idle(withoutWork(turn, node), node.name());
          case "NORESP", "NO_RESPOND" ->
              status.withFlags(including(status, NodeFlag.NOT_RESPONDING));
          case "RESUME" -> resumed(status, node.name());
          case "UNDRAIN" -> undrained(status);
          case "CANCEL_REBOOT" -> Reboots.canceled(status, node.name());
          case "ALLOC", "ALLOCATED" -> allocated(turn, node);
          case "UNKNOWN", "UNK", "MIXED" -> throw new Refusal(SlurmError.INVALID_NODE_STATE);
          case "POWER_DOWN", "POWER_DOWN_ASAP", "POWER_DOWN_FORCE", "POWER_UP" ->
              PowerRequests.requested(turn, status, state, by);
          default ->
              throw new Refusal(
                  SlurmError.COMMAND_VALUE,
                  "Invalid input: state="
                      + state
                      + "\nRequest aborted\nstates are DOWN, DRAIN, FAIL, FUTURE, IDLE, NORESP,"
                      + " RESUME and UNDRAIN");
        };
    boolean needsReason = state.equals("DRAIN") || state.equals("DOWN");
    if (reason.isEmpty() && needsReason && next.reason().isEmpty()) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "You must specify a reason when " + state + "ING a node\nRequest denied");
    }
    return reason.isEmpty()
        ? next
        : next.with(s -> s.reason(reason).reasonUser(by.user()).reasonTime(turn.now()));
  }

  /** The status of a node on which nothing runs; only such a one is made IDLE or FUTURE. */
  private static NodeStatus withoutWork(Turn turn, Node node) {
    if (works(turn, node)) {
      throw new Refusal(
          SlurmError.INVALID_NODE_STATE, "\n" + node.name() + " is in use; RESUME takes it back");
    }
    return node.status();
  }

  /** A node that is in use is as it should be. */
  private static NodeStatus allocated(Turn turn, Node node) {
    if (!works(turn, node)) {
      throw new Refusal(SlurmError.INVALID_NODE_STATE, "\n" + node.name() + " is not in use");
    }
    return node.status();
  }

  private static boolean works(Turn turn, Node node) {
    return node.status().base() == NodeBaseState.IDLE
        && Runs.on(turn, node.name()).stream().anyMatch(job -> !job.has(JobFlag.COMPLETING));
  }

  private NodeStatus resumed(NodeStatus status, String name) {
    if (status.has(NodeFlag.POWERING_DOWN)) {
      NodeStatus off =
          status.withFlags(
              without(
                  status,
                  NodeFlag.POWERING_DOWN,
                  NodeFlag.INVALID_REG,
                  NodeFlag.DRAIN,
                  NodeFlag.FAIL));
      boolean wasDown = off.base() == NodeBaseState.DOWN;
      return clean(wasDown ? off.withBase(NodeBaseState.IDLE) : off)
          .withFlags(including(off, NodeFlag.POWERED_DOWN));
    }
    boolean down =
        status.base() == NodeBaseState.DOWN
            || status.base() == NodeBaseState.ERROR
            || status.base() == NodeBaseState.FUTURE;
    Set<NodeFlag> kept =
        without(
            status,
            NodeFlag.DRAIN,
            NodeFlag.FAIL,
            NodeFlag.INVALID_REG,
            NodeFlag.REBOOT_ISSUED,
            NodeFlag.REBOOT_REQUESTED);
    if (!down && kept.equals(status.flags())) {
      throw new Refusal(
          SlurmError.INVALID_NODE_STATE, "\n" + name + " is neither down nor drained nor failing");
    }
    return clean(down ? up(status, name) : status)
        .withFlags(responding(kept, name))
        .with(s -> s.nextState("").resumeAfter(null));
  }

  private static NodeStatus replaced(NodeStatus status, NodeFlag old, NodeFlag fresh) {
    NodeStatus rest = status.withFlags(without(status, old));
    return rest.withFlags(including(rest, fresh));
  }

  private NodeStatus idle(NodeStatus status, String name) {
    if (status.base() == NodeBaseState.FUTURE) {
      throw new Refusal(
          SlurmError.INVALID_NODE_STATE, "\n" + name + " is FUTURE; RESUME brings it in");
    }
    Set<NodeFlag> kept = without(status, NodeFlag.DRAIN, NodeFlag.FAIL);
    NodeStatus next = status.base() == NodeBaseState.IDLE ? status : up(status, name);
    return clean(next).withFlags(responding(kept, name));
  }

  /**
   * Up without having been heard of is UNKNOWN until the node registers; external ones never do.
   */
  private NodeStatus up(NodeStatus status, String name) {
    boolean there = status.has(NodeFlag.EXTERNAL) || links.isConnected(name);
    return status.withBase(there ? NodeBaseState.IDLE : NodeBaseState.UNKNOWN);
  }

  private Set<NodeFlag> responding(Set<NodeFlag> flags, String name) {
    EnumSet<NodeFlag> result = EnumSet.noneOf(NodeFlag.class);
    result.addAll(flags);
    if (links.isConnected(name)) {
      result.remove(NodeFlag.NOT_RESPONDING);
    }
    return result;
  }

  private static NodeStatus undrained(NodeStatus status) {
    if (!status.has(NodeFlag.DRAIN)) {
      return status;
    }
    NodeStatus next = status.withFlags(without(status, NodeFlag.DRAIN, NodeFlag.INVALID_REG));
    return next.base() == NodeBaseState.DOWN ? next : clean(next);
  }

  static NodeStatus clean(NodeStatus status) {
    return status.with(s -> s.reason("").reasonUser("").reasonTime(null));
  }

  /** Journals a node's new status; what runs on a node that goes down fails. */
  void change(Turn turn, String name, NodeStatus status, String by) {
    Node node = turn.state().node(name);
    if (node == null || node.status().equals(status)) {
      return;
    }
    turn.emit(new Event.NodeChanged(turn.now(), name, status, by));
    askLater(turn, name, status);
    if (Runs.isOut(turn.state(), name)) {
      for (Job job : Runs.on(turn, name)) {
        runs.nodeFailed(turn, job, name);
      }
    }
  }

  static Set<NodeFlag> without(NodeStatus status, NodeFlag... flags) {
    EnumSet<NodeFlag> rest = EnumSet.noneOf(NodeFlag.class);
    rest.addAll(status.flags());
    rest.removeAll(List.of(flags));
    return rest;
  }

  static Set<NodeFlag> including(NodeStatus status, NodeFlag flag) {
    EnumSet<NodeFlag> all = EnumSet.of(flag);
    all.addAll(status.flags());
    return all;
  }
}
