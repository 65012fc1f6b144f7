package dev.yardmaster.engine.state;

import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeStatus;
import java.util.EnumSet;
import org.pcollections.TreePMap;

/** The nodes on which backfill keeps places until its next pass: they are marked PLANNED. */
final class NodeMarks {
  private NodeMarks() {}

  /** Nodes that are gone since are left out. */
  static TreePMap<String, Node> planned(TreePMap<String, Node> nodes, Event.NodesPlanned e) {
    TreePMap<String, Node> marked = nodes;
    for (String name : e.planned()) {
      marked = with(marked, name, true);
    }
    for (String name : e.free()) {
      marked = with(marked, name, false);
    }
    return marked;
  }

  private static TreePMap<String, Node> with(
      TreePMap<String, Node> nodes, String name, boolean planned) {
    Node node = nodes.get(name);
    if (node == null || node.status().has(NodeFlag.PLANNED) == planned) {
      return nodes;
    }
    NodeStatus status = node.status();
    EnumSet<NodeFlag> flags = EnumSet.noneOf(NodeFlag.class);
    flags.addAll(status.flags());
    if (planned) {
      flags.add(NodeFlag.PLANNED);
    } else {
      flags.remove(NodeFlag.PLANNED);
    }
    return nodes.plus(name, node.withStatus(status.withFlags(flags)));
  }
}
