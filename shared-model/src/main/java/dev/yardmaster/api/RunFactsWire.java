package dev.yardmaster.api;

import dev.yardmaster.api.v1.WireExplain;
import dev.yardmaster.explain.RunFacts;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.time.Instant;

/** What is told of a job that has started, on the wire. */
final class RunFactsWire {
  private RunFactsWire() {}

  static WireExplain.RunFacts write(RunFacts run) {
    WireExplain.RunFacts.Builder out =
        WireExplain.RunFacts.newBuilder()
            .setNodes(Fields.hosts(run.nodes()))
            .setBackfilled(run.backfilled())
            .setAhead(run.ahead())
            .setHeldBackInAll(run.heldBackCount())
            .setLookedAt(run.lookedAt());
    if (run.ended() instanceof RunFacts.Ended ended) {
      out.setEnded(
          WireExplain.RunFacts.Ended.newBuilder()
              .setState(ended.state().name())
              .setExit(JobWire.exitCode(ended.exit()))
              .setAt(Fields.timestamp(ended.at()))
              .setSeconds(ended.seconds()));
    }
    for (RunFacts.Wait wait : run.waits()) {
      out.addWaits(
          WireExplain.RunFacts.Wait.newBuilder()
              .setReason(wait.reason().name())
              .setSeconds(wait.seconds()));
    }
    if (run.ends() instanceof Instant ends) {
      out.setEnds(Fields.timestamp(ends));
    }
    if (run.likely() instanceof Instant likely) {
      out.setLikely(Fields.timestamp(likely));
    }
    if (run.earliest() instanceof Instant earliest) {
      out.setEarliest(Fields.timestamp(earliest));
    }
    if (run.latest() instanceof Instant latest) {
      out.setLatest(Fields.timestamp(latest));
    }
    for (RunFacts.HeldBack held : run.heldBack()) {
      WireExplain.RunFacts.HeldBack.Builder wire =
          WireExplain.RunFacts.HeldBack.newBuilder()
              .setName(held.name())
              .setTitle(held.title())
              .setUser(held.user())
              .setAccount(held.account())
              .setInstead(Fields.timestamp(held.instead()));
      if (held.start() instanceof Instant start) {
        wire.setStart(Fields.timestamp(start));
      }
      out.addHeldBack(wire);
    }
    return out.build();
  }

  static RunFacts read(WireExplain.RunFacts in) {
    return new RunFacts(
        Fields.hosts(in.getNodes()),
        in.getBackfilled(),
        in.getAhead(),
        in.getWaitsList().stream()
            .map(w -> new RunFacts.Wait(Fields.word(Reason.class, w.getReason()), w.getSeconds()))
            .toList(),
        Fields.instant(in.hasEnds(), in.getEnds()),
        Fields.instant(in.hasLikely(), in.getLikely()),
        Fields.instant(in.hasEarliest(), in.getEarliest()),
        Fields.instant(in.hasLatest(), in.getLatest()),
        in.getHeldBackList().stream().map(RunFactsWire::heldBack).toList(),
        in.getHeldBackInAll(),
        in.getLookedAt(),
        in.hasEnded() ? ended(in.getEnded()) : null);
  }

  private static RunFacts.Ended ended(WireExplain.RunFacts.Ended in) {
    return new RunFacts.Ended(
        Fields.word(JobState.class, in.getState()),
        JobWire.exitCode(in.getExit()),
        Fields.instant(in.getAt()),
        in.getSeconds());
  }

  private static RunFacts.HeldBack heldBack(WireExplain.RunFacts.HeldBack in) {
    return new RunFacts.HeldBack(
        in.getName(),
        in.getTitle(),
        in.getUser(),
        in.getAccount(),
        Fields.instant(in.hasStart(), in.getStart()),
        Fields.instant(in.getInstead()));
  }
}
