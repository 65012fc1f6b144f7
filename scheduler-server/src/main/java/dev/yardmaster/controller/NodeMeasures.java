package dev.yardmaster.controller;

import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeMeasure;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What nodes have last measured of their machines, and when they last had something to do. Written
 * by the controller, read by anyone; nothing of it is kept.
 */
public final class NodeMeasures {
  private final Map<String, NodeMeasure> reported = new ConcurrentHashMap<>();
  private final Map<String, Instant> busy = new ConcurrentHashMap<>();

  /** A node tells of its machine; one of which nothing is measured changes nothing. */
  public void reported(String node, NodeMeasure measure) {
    if (!measure.equals(NodeMeasure.NONE)) {
      reported.put(node, measure);
    }
  }

  /** A node that does not answer any more has no load. */
  void lost(String node) {
    reported.computeIfPresent(node, (name, measure) -> measure.withoutLoad());
  }

  /** It has something to do, or has just done it. */
  void busy(String node, Instant at) {
    busy.put(node, at);
  }

  /** When it last had something to do since this controller began; null when it had not. */
  @Nullable Instant lastBusy(String node) {
    return busy.get(node);
  }

  /** A node as clients see it: with what is known of its machine. */
  public Node of(Node node) {
    NodeMeasure measure = reported.getOrDefault(node.name(), NodeMeasure.NONE);
    Instant at = busy.get(node.name());
    return node.withMeasure(measure.withLastBusy(at == null ? node.status().registered() : at));
  }
}
