package dev.yardmaster.explain;

import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The whole answer to "what holds this job back" at one moment.
 *
 * @param displayId the job's id as users write it
 * @param request what the job asks for, so that the explanation stands by itself
 * @param partition the partition this is about (the first in which it could start earliest)
 * @param moment the number of the last event that it knows of; with {@code at} it names the moment,
 *     so that the same can be asked again; 0 when that is not known
 * @param slurmReason what squeue shows for it, with {@code slurmReasonText} the longer sentence if
 *     there is one
 * @param findings every gate in order, including those passed and those not reached
 * @param binding the gate that decides: the first whose passing alone would matter; null when
 *     nothing blocks
 * @param forecast null for a job that is not pending
 * @param run what is told of a job that has started; null for one that is pending
 * @param remedies best first: those the owner can apply before those an operator must, each group
 *     by start
 */
public record Explanation(
    int jobId,
    String displayId,
    String jobName,
    String user,
    String account,
    String partition,
    JobRequest request,
    long timeLimitMinutes,
    Instant at,
    long moment,
    Verdict verdict,
    Reason slurmReason,
    String slurmReasonText,
    List<Finding> findings,
    @Nullable Gate binding,
    List<Blocker> blockers,
    PriorityStanding priority,
    @Nullable Forecast forecast,
    @Nullable RunFacts run,
    List<Remedy> remedies) {
  public Explanation {
    findings = List.copyOf(findings);
    blockers = List.copyOf(blockers);
    remedies = List.copyOf(remedies);
  }

  /** The same with the number of its moment. */
  public Explanation withMoment(long number) {
    return new Explanation(
        jobId,
        displayId,
        jobName,
        user,
        account,
        partition,
        request,
        timeLimitMinutes,
        at,
        number,
        verdict,
        slurmReason,
        slurmReasonText,
        findings,
        binding,
        blockers,
        priority,
        forecast,
        run,
        remedies);
  }

  /** The finding of one gate. */
  public Optional<Finding> finding(Gate gate) {
    return findings.stream().filter(f -> f.gate() == gate).findFirst();
  }

  /** All gates that fail, in order. */
  public List<Finding> blocking() {
    return findings.stream().filter(Finding::blocks).toList();
  }

  /** The steps of the node funnel in order. */
  public List<Finding> funnel() {
    return findings.stream().filter(f -> f.evidence() instanceof Evidence.Nodes).toList();
  }
}
