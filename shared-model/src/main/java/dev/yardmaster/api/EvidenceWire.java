package dev.yardmaster.api;

import dev.yardmaster.api.v1.WireExplain;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Preemption;
import java.time.Instant;

/** {@link Evidence} on the wire. */
final class EvidenceWire {
  private EvidenceWire() {}

  static WireExplain.Evidence write(Evidence evidence) {
    WireExplain.Evidence.Builder out = WireExplain.Evidence.newBuilder();
    switch (evidence) {
      case Evidence.None none -> out.setNone(WireExplain.Evidence.None.getDefaultInstance());
      case Evidence.Held held ->
          out.setHeld(WireExplain.Evidence.Held.newBuilder().setBy(held.by().name()));
      case Evidence.Until until ->
          out.setUntil(
              WireExplain.Evidence.Until.newBuilder()
                  .setInstant(Fields.timestamp(until.instant())));
      case Evidence.InReservation in ->
          out.setInReservation(
              WireExplain.Evidence.InReservation.newBuilder()
                  .setReservation(in.reservation())
                  .setStart(Fields.timestamp(in.start())));
      case Evidence.Preempted p -> out.setPreempted(preempted(p));
      case Evidence.DependsOn depends ->
          out.setDependsOn(
              WireExplain.Evidence.DependsOn.newBuilder()
                  .setClause(depends.clause())
                  .addAllJobIds(depends.jobIds())
                  .addAllStates(depends.states())
                  .setNeverSatisfiable(depends.neverSatisfiable()));
      case Evidence.Completing completing ->
          out.setCompleting(
              WireExplain.Evidence.Completing.newBuilder()
                  .addAllJobIds(completing.jobIds())
                  .setNodes(Fields.hosts(completing.nodes()))
                  .setUntil(Fields.timestamp(completing.until())));
      case Evidence.Waking waking ->
          out.setWaking(
              WireExplain.Evidence.Waking.newBuilder()
                  .setNodes(Fields.hosts(waking.nodes()))
                  .setSeconds(waking.seconds()));
      case Evidence.PartitionIs is ->
          out.setPartitionIs(
              WireExplain.Evidence.PartitionIs.newBuilder()
                  .setPartition(is.partition())
                  .setState(is.state()));
      case Evidence.NotAllowed not ->
          out.setNotAllowed(
              WireExplain.Evidence.NotAllowed.newBuilder()
                  .setPartition(not.partition())
                  .setRule(not.rule())
                  .setAllowed(not.allowed())
                  .setAsked(not.asked()));
      case Evidence.Limit limit ->
          out.setLimit(
              WireExplain.Evidence.Limit.newBuilder()
                  .setLevelKind(limit.levelKind())
                  .setLevelName(limit.levelName())
                  .setLimit(limit.limit())
                  .setUnit(limit.unit())
                  .setAllowed(limit.allowed())
                  .setUsed(limit.used())
                  .setAsked(limit.asked()));
      case Evidence.Nodes nodes -> out.setNodes(nodes(nodes));
      case Evidence.Ahead ahead ->
          out.setAhead(
              WireExplain.Evidence.Ahead.newBuilder()
                  .addAllJobIds(ahead.jobIds())
                  .setRank(ahead.rank())
                  .setTotal(ahead.total()));
      case Evidence.NotTogether not ->
          out.setNotTogether(
              WireExplain.Evidence.NotTogether.newBuilder()
                  .setRule(not.rule())
                  .setNeeded(not.needed())
                  .setBest(not.best()));
      case Evidence.Placed placed ->
          out.setPlaced(
              WireExplain.Evidence.Placed.newBuilder()
                  .setRule(placed.rule().name())
                  .setNodes(Fields.hosts(placed.nodes())));
    }
    return out.build();
  }

  static Evidence read(WireExplain.Evidence in) {
    return switch (in.getKindCase()) {
      case NONE -> new Evidence.None();
      case HELD -> new Evidence.Held(Fields.word(Hold.class, in.getHeld().getBy()));
      case UNTIL -> new Evidence.Until(Fields.instant(in.getUntil().getInstant()));
      case IN_RESERVATION ->
          new Evidence.InReservation(
              in.getInReservation().getReservation(),
              Fields.instant(in.getInReservation().getStart()));
      case PREEMPTED ->
          new Evidence.Preempted(
              in.getPreempted().getBy(),
              Fields.word(Preemption.Mode.class, in.getPreempted().getMode()),
              Fields.instant(in.getPreempted().getAt()),
              Fields.instant(in.getPreempted().getUntil()),
              in.getPreempted().hasWhy() ? PreemptionWire.read(in.getPreempted().getWhy()) : null);
      case DEPENDS_ON -> {
        WireExplain.Evidence.DependsOn d = in.getDependsOn();
        yield new Evidence.DependsOn(
            d.getClause(), d.getJobIdsList(), d.getStatesList(), d.getNeverSatisfiable());
      }
      case COMPLETING ->
          new Evidence.Completing(
              in.getCompleting().getJobIdsList(),
              Fields.hosts(in.getCompleting().getNodes()),
              Fields.instant(in.getCompleting().getUntil()));
      case WAKING ->
          new Evidence.Waking(Fields.hosts(in.getWaking().getNodes()), in.getWaking().getSeconds());
      case PARTITION_IS ->
          new Evidence.PartitionIs(
              in.getPartitionIs().getPartition(), in.getPartitionIs().getState());
      case NOT_ALLOWED -> {
        WireExplain.Evidence.NotAllowed n = in.getNotAllowed();
        yield new Evidence.NotAllowed(n.getPartition(), n.getRule(), n.getAllowed(), n.getAsked());
      }
      case LIMIT -> {
        WireExplain.Evidence.Limit l = in.getLimit();
        yield new Evidence.Limit(
            l.getLevelKind(),
            l.getLevelName(),
            l.getLimit(),
            l.getUnit(),
            l.getAllowed(),
            l.getUsed(),
            l.getAsked());
      }
      case NODES -> {
        WireExplain.Evidence.Nodes n = in.getNodes();
        yield new Evidence.Nodes(
            n.getBefore(),
            n.getRemaining(),
            n.getNeeded(),
            n.getFallsList().stream().map(EvidenceWire::fall).toList());
      }
      case AHEAD ->
          new Evidence.Ahead(
              in.getAhead().getJobIdsList(), in.getAhead().getRank(), in.getAhead().getTotal());
      case NOT_TOGETHER -> {
        WireExplain.Evidence.NotTogether n = in.getNotTogether();
        yield new Evidence.NotTogether(n.getRule(), n.getNeeded(), n.getBest());
      }
      case PLACED ->
          new Evidence.Placed(
              Fields.word(Evidence.Placed.Rule.class, in.getPlaced().getRule()),
              Fields.hosts(in.getPlaced().getNodes()));
      case KIND_NOT_SET ->
          throw new WireException(
              "evidence of a kind this version does not know: the other side is of another"
                  + " version of Yardmaster");
    };
  }

  private static WireExplain.Evidence.Nodes nodes(Evidence.Nodes nodes) {
    WireExplain.Evidence.Nodes.Builder out =
        WireExplain.Evidence.Nodes.newBuilder()
            .setBefore(nodes.before())
            .setRemaining(nodes.remaining())
            .setNeeded(nodes.needed());
    for (Evidence.Fall fall : nodes.falls()) {
      WireExplain.Evidence.Fall.Builder wire =
          WireExplain.Evidence.Fall.newBuilder()
              .setCause(fall.cause().name())
              .setDetail(fall.detail())
              .setNodes(Fields.hosts(fall.nodes()))
              .setMost(fall.most());
      if (fall.until() instanceof Instant until) {
        wire.setUntil(Fields.timestamp(until));
      }
      out.addFalls(wire);
    }
    return out.build();
  }

  private static Evidence.Fall fall(WireExplain.Evidence.Fall in) {
    return new Evidence.Fall(
        Fields.word(Evidence.Cause.class, in.getCause()),
        in.getDetail(),
        Fields.hosts(in.getNodes()),
        Fields.instant(in.hasUntil(), in.getUntil()),
        in.getMost());
  }

  private static WireExplain.Evidence.Preempted preempted(Evidence.Preempted p) {
    WireExplain.Evidence.Preempted.Builder out =
        WireExplain.Evidence.Preempted.newBuilder()
            .setBy(p.by())
            .setMode(p.mode().name())
            .setAt(Fields.timestamp(p.at()))
            .setUntil(Fields.timestamp(p.until()));
    if (p.why() != null) {
      out.setWhy(PreemptionWire.write(p.why()));
    }
    return out.build();
  }
}
