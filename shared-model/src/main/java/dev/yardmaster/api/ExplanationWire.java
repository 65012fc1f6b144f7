package dev.yardmaster.api;

import dev.yardmaster.api.v1.WireExplain;
import dev.yardmaster.explain.Blocker;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.explain.Forecast;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.explain.Outcome;
import dev.yardmaster.explain.PriorityStanding;
import dev.yardmaster.explain.Remedy;
import dev.yardmaster.explain.RunFacts;
import dev.yardmaster.explain.Verdict;
import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.Reason;
import java.time.Instant;

/** {@link Explanation} on the wire, complete. */
public final class ExplanationWire {
  private ExplanationWire() {}

  public static WireExplain.Explanation write(Explanation explanation) {
    WireExplain.Explanation.Builder out =
        WireExplain.Explanation.newBuilder()
            .setJobId(explanation.jobId())
            .setDisplayId(explanation.displayId())
            .setJobName(explanation.jobName())
            .setUser(explanation.user())
            .setAccount(explanation.account())
            .setPartition(explanation.partition())
            .setRequest(RequestWire.write(explanation.request()))
            .setTimeLimitMinutes(explanation.timeLimitMinutes())
            .setAt(Fields.timestamp(explanation.at()))
            .setMoment(explanation.moment())
            .setVerdict(explanation.verdict().name())
            .setSlurmReason(explanation.slurmReason().name())
            .setSlurmReasonText(explanation.slurmReasonText())
            .setPriority(standing(explanation.priority()));
    explanation.findings().forEach(finding -> out.addFindings(finding(finding)));
    explanation.blockers().forEach(blocker -> out.addBlockers(blocker(blocker)));
    explanation.remedies().forEach(remedy -> out.addRemedies(remedy(remedy)));
    if (explanation.binding() instanceof Gate gate) {
      out.setBinding(gate.name());
    }
    if (explanation.forecast() instanceof Forecast forecast) {
      out.setForecast(forecast(forecast));
    }
    if (explanation.run() instanceof RunFacts run) {
      out.setRun(RunFactsWire.write(run));
    }
    return out.build();
  }

  /**
   * @throws WireException when the message has a word this version does not know
   */
  public static Explanation read(WireExplain.Explanation in) {
    return new Explanation(
        in.getJobId(),
        in.getDisplayId(),
        in.getJobName(),
        in.getUser(),
        in.getAccount(),
        in.getPartition(),
        RequestWire.read(in.getRequest()),
        in.getTimeLimitMinutes(),
        Fields.instant(in.getAt()),
        in.getMoment(),
        Fields.word(Verdict.class, in.getVerdict()),
        Fields.word(Reason.class, in.getSlurmReason()),
        in.getSlurmReasonText(),
        in.getFindingsList().stream().map(ExplanationWire::finding).toList(),
        in.hasBinding() ? Fields.word(Gate.class, in.getBinding()) : null,
        in.getBlockersList().stream().map(ExplanationWire::blocker).toList(),
        standing(in.getPriority()),
        in.hasForecast() ? forecast(in.getForecast()) : null,
        in.hasRun() ? RunFactsWire.read(in.getRun()) : null,
        in.getRemediesList().stream().map(ExplanationWire::remedy).toList());
  }

  private static WireExplain.Finding finding(Finding finding) {
    return WireExplain.Finding.newBuilder()
        .setGate(finding.gate().name())
        .setOutcome(finding.outcome().name())
        .setWaitingHelps(finding.waitingHelps())
        .setEvidence(EvidenceWire.write(finding.evidence()))
        .build();
  }

  private static Finding finding(WireExplain.Finding in) {
    return new Finding(
        Fields.word(Gate.class, in.getGate()),
        Fields.word(Outcome.class, in.getOutcome()),
        in.getWaitingHelps(),
        EvidenceWire.read(in.getEvidence()));
  }

  private static WireExplain.Blocker blocker(Blocker blocker) {
    WireExplain.Blocker.Builder out =
        WireExplain.Blocker.newBuilder()
            .setKind(blocker.kind().name())
            .setName(blocker.name())
            .setTitle(blocker.title())
            .setUser(blocker.user())
            .setAccount(blocker.account())
            .setNodes(Fields.hosts(blocker.nodes()))
            .setHolds(blocker.holds())
            .setUnit(blocker.unit());
    if (blocker.until() instanceof Instant until) {
      out.setUntil(Fields.timestamp(until));
    }
    return out.build();
  }

  private static Blocker blocker(WireExplain.Blocker in) {
    return new Blocker(
        Fields.word(Blocker.Kind.class, in.getKind()),
        in.getName(),
        in.getTitle(),
        in.getUser(),
        in.getAccount(),
        Fields.hosts(in.getNodes()),
        in.getHolds(),
        in.getUnit(),
        Fields.instant(in.hasUntil(), in.getUntil()));
  }

  private static WireExplain.PriorityStanding standing(PriorityStanding standing) {
    return WireExplain.PriorityStanding.newBuilder()
        .setPriority(standing.priority())
        .setFactors(JobWire.factors(standing.factors()))
        .setRank(standing.rank())
        .setTotal(standing.total())
        .build();
  }

  private static PriorityStanding standing(WireExplain.PriorityStanding in) {
    return new PriorityStanding(
        in.getPriority(), JobWire.factors(in.getFactors()), in.getRank(), in.getTotal());
  }

  private static WireExplain.Forecast forecast(Forecast forecast) {
    WireExplain.Forecast.Builder out =
        WireExplain.Forecast.newBuilder()
            .setNodes(Fields.hosts(forecast.nodes()))
            .setLeftOut(forecast.leftOut())
            .setHorizonEnd(Fields.timestamp(forecast.horizonEnd()))
            .setMade(Fields.timestamp(forecast.made()));
    if (forecast.byLimits() instanceof Instant start) {
      out.setByLimits(Fields.timestamp(start));
    }
    if (forecast.likely() instanceof Instant start) {
      out.setLikely(Fields.timestamp(start));
    }
    if (forecast.earliest() instanceof Instant start) {
      out.setEarliest(Fields.timestamp(start));
    }
    if (forecast.latest() instanceof Instant start) {
      out.setLatest(Fields.timestamp(start));
    }
    if (forecast.plan() instanceof Forecast.Plan plan) {
      out.setPlan(
          WireExplain.PlanOfSlurm.newBuilder()
              .setStart(Fields.timestamp(plan.start()))
              .setNodes(Fields.hosts(plan.nodes()))
              .setDifference(plan.difference().name()));
    }
    return out.build();
  }

  private static Forecast forecast(WireExplain.Forecast in) {
    return new Forecast(
        Fields.instant(in.hasByLimits(), in.getByLimits()),
        Fields.instant(in.hasLikely(), in.getLikely()),
        Fields.instant(in.hasEarliest(), in.getEarliest()),
        Fields.instant(in.hasLatest(), in.getLatest()),
        in.getLeftOut(),
        Fields.hosts(in.getNodes()),
        in.hasPlan() ? plan(in.getPlan()) : null,
        Fields.instant(in.getHorizonEnd()),
        Fields.instant(in.getMade()));
  }

  private static Forecast.Plan plan(WireExplain.PlanOfSlurm in) {
    return new Forecast.Plan(
        Fields.instant(in.getStart()),
        Fields.hosts(in.getNodes()),
        Fields.word(Forecast.Difference.class, in.getDifference()));
  }

  private static WireExplain.Remedy remedy(Remedy remedy) {
    WireExplain.Remedy.Builder out =
        WireExplain.Remedy.newBuilder()
            .setLever(remedy.lever().name())
            .setFrom(remedy.from())
            .setTo(remedy.to())
            .setStart(Fields.timestamp(remedy.start()))
            .setNodes(Fields.hosts(remedy.nodes()))
            .setCommand(remedy.command())
            .setByOwner(remedy.byOwner());
    if (remedy.gainSeconds() instanceof Long gain) {
      out.setGainSeconds(gain);
    }
    for (Remedy.Delay delay : remedy.delayed()) {
      out.addDelayed(
          WireExplain.Remedy.Delay.newBuilder()
              .setJobId(delay.jobId())
              .setSeconds(delay.seconds()));
    }
    for (Remedy.Loss loss : remedy.sentAway()) {
      out.addSentAway(
          WireExplain.Remedy.Loss.newBuilder()
              .setJobId(loss.jobId())
              .setUser(loss.user())
              .setMode(loss.mode().name())
              .setWorkedSeconds(loss.workedSeconds())
              .setGraceSeconds(loss.graceSeconds()));
    }
    return out.build();
  }

  private static Remedy remedy(WireExplain.Remedy in) {
    return new Remedy(
        Fields.word(Remedy.Lever.class, in.getLever()),
        in.getFrom(),
        in.getTo(),
        Fields.instant(in.getStart()),
        Fields.hosts(in.getNodes()),
        in.hasGainSeconds() ? in.getGainSeconds() : null,
        in.getDelayedList().stream()
            .map(delay -> new Remedy.Delay(delay.getJobId(), delay.getSeconds()))
            .toList(),
        in.getCommand(),
        in.getByOwner(),
        in.getSentAwayList().stream()
            .map(
                loss ->
                    new Remedy.Loss(
                        loss.getJobId(),
                        loss.getUser(),
                        Fields.word(Preemption.Mode.class, loss.getMode()),
                        loss.getWorkedSeconds(),
                        loss.getGraceSeconds()))
            .toList());
  }
}
