package dev.yardmaster.accounting;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeSpan;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Tres;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What events make of the times in which nodes were in service. */
final class NodeSpans {
  private NodeSpans() {}

  /**
   * The spans that an event ends or begins.
   *
   * @param present finds the present span of a node
   */
  static List<NodeSpan> follow(
      Event event, ClusterState after, Function<String, @Nullable NodeSpan> present) {
    List<NodeSpan> spans = new ArrayList<>();
    switch (event) {
      case Event.NodeChanged e -> look(e.node(), e.at(), after, present, spans);
      case Event.ConfigApplied e ->
          after.nodes().keySet().forEach(name -> look(name, e.at(), after, present, spans));
      default -> {}
    }
    return spans;
  }

  private static void look(
      String name,
      Instant at,
      ClusterState after,
      Function<String, @Nullable NodeSpan> present,
      List<NodeSpan> spans) {
    Node node = after.node(name);
    NodeSpan now = present.apply(name);
    NodeSpan next =
        node == null ? null : new NodeSpan(name, at, null, isDown(node), tres(after, node.spec()));
    boolean same =
        now != null && next != null && now.down() == next.down() && now.tres().equals(next.tres());
    if (same) {
      return;
    }
    if (now != null) {
      spans.add(new NodeSpan(name, now.started(), at, now.down(), now.tres()));
    }
    if (next != null) {
      spans.add(next);
    }
  }

  private static boolean isDown(Node node) {
    return node.status().base() == NodeBaseState.DOWN
        || node.status().base() == NodeBaseState.FUTURE
        || node.status().flags().contains(NodeFlag.DRAIN);
  }

  private static Tres tres(ClusterState state, NodeSpec spec) {
    TreeMap<String, Long> amounts = new TreeMap<>();
    amounts.put(Tres.CPU, (long) spec.cpus());
    amounts.put(Tres.MEM, spec.realMemoryMib());
    amounts.put(Tres.NODE, 1L);
    amounts.put(Tres.BILLING, (long) spec.cpus());
    for (GresDevices gres : spec.gres()) {
      amounts.merge("gres/" + gres.name(), gres.count(), Long::sum);
      if (gres.type() != null) {
        amounts.merge("gres/" + gres.name() + ":" + gres.type(), gres.count(), Long::sum);
      }
    }
    return TresOf.tracked(state, amounts);
  }
}
