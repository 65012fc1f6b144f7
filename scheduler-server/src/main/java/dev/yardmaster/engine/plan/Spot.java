package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Hardware;
import dev.yardmaster.model.PlannedStart;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;

/** Where and when a job is planned; its nodes get their names when somebody asks. */
public final class Spot {
  private final Instant start;
  private final long[] nodes;
  private final String partition;
  private final Instant made;
  private final Hardware hardware;

  Spot(Instant start, long[] nodes, String partition, Instant made, Hardware hardware) {
    this.start = start;
    this.nodes = nodes;
    this.partition = partition;
    this.made = made;
    this.hardware = hardware;
  }

  public Instant start() {
    return start;
  }

  /** The same place at a later time. */
  Spot at(Instant later) {
    return new Spot(later, nodes, partition, made, hardware);
  }

  /** The same time and partition on other nodes. */
  public Spot on(HostList others) {
    return new Spot(start, hardware.setOf(others.expand()), partition, made, hardware);
  }

  /** Whether it has nodes that another one has, at whatever time. */
  public boolean sharesNodesWith(Spot other) {
    return Bits.countCommon(nodes, other.nodes) > 0;
  }

  /** The same, as seen from another moment. */
  Spot seenFrom(Instant moment) {
    return new Spot(start, nodes, partition, moment, hardware);
  }

  /** The same time without a place. */
  Spot withoutNodes() {
    return new Spot(start, Bits.of(hardware.size()), partition, made, hardware);
  }

  public PlannedStart named() {
    return new PlannedStart(start, HostList.of(hardware.names(nodes)), partition, made);
  }
}
