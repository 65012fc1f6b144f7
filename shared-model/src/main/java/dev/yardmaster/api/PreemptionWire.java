package dev.yardmaster.api;

import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.model.Preemption;
import java.time.Instant;
import java.util.TreeMap;

/** Preemptions on the wire. */
final class PreemptionWire {
  private PreemptionWire() {}

  static Wire.Preemption write(Preemption preemption) {
    Wire.Preemption.Builder out =
        Wire.Preemption.newBuilder()
            .setBy(preemption.by())
            .setAt(Fields.seconds(preemption.at()))
            .setUntil(Fields.seconds(preemption.until()))
            .setMode(preemption.mode().name());
    if (preemption.why() != null) {
      out.setWhy(write(preemption.why()));
    }
    preemption.claims().forEach((id, at) -> out.putClaims(id, Fields.seconds(at)));
    return out.build();
  }

  static Preemption read(Wire.Preemption in) {
    TreeMap<Integer, Instant> claims = new TreeMap<>();
    in.getClaimsMap().forEach((id, at) -> claims.put(id, Instant.ofEpochSecond(at)));
    return new Preemption(
        in.getBy(),
        Instant.ofEpochSecond(in.getAt()),
        Instant.ofEpochSecond(in.getUntil()),
        Fields.word(Preemption.Mode.class, in.getMode()),
        in.hasWhy() ? read(in.getWhy()) : null,
        claims);
  }

  static Wire.PreemptionWhy write(Preemption.Why why) {
    Wire.PreemptionWhy.Builder out =
        Wire.PreemptionWhy.newBuilder()
            .setRule(why.rule().name())
            .setWinner(why.winner())
            .setLoser(why.loser())
            .setYoungestFirst(why.youngestFirst())
            .setTogether(why.together())
            .setOthers(why.others())
            .addAllSpared(why.spared());
    if (why.otherwise() instanceof Instant otherwise) {
      out.setOtherwise(Fields.seconds(otherwise));
    }
    return out.build();
  }

  static Preemption.Why read(Wire.PreemptionWhy in) {
    return new Preemption.Why(
        Fields.word(Preemption.Rule.class, in.getRule()),
        in.getWinner(),
        in.getLoser(),
        in.getYoungestFirst(),
        in.getTogether(),
        in.getOthers(),
        in.getSparedList(),
        Fields.instant(in.hasOtherwise(), in.getOtherwise()));
  }
}
