package dev.yardmaster.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.RecordQuery;
import dev.yardmaster.model.StepRecord;
import dev.yardmaster.model.StepUsage;
import dev.yardmaster.model.Suspension;
import dev.yardmaster.model.Tres;
import dev.yardmaster.model.UsageReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class JobRecordsTest {
  private static final Instant START = Lab.START;

  private final Lab lab = Lab.sixNodes();
  private final ClusterState empty = lab.state();
  private final MemoryRecords records = new MemoryRecords(empty);

  /** A job of two nodes that starts ten seconds after it was submitted. */
  private Job started(String name) {
    int id = lab.submit(JobSpec.job(name).nodes(2).exclusive().minutes(300));
    Job waiting = lab.job(id);
    lab.pass();
    Allocation allocation = Objects.requireNonNull(lab.job(id).allocation());
    records.follow(
        List.of(
            new Event.JobSubmitted(START, waiting.withEligible(START)),
            new Event.JobStarted(at(10), id, waiting.partition(), allocation, 300, false)));
    return waiting;
  }

  private static Instant at(long seconds) {
    return START.plusSeconds(seconds);
  }

  private List<JobRecord> find(RecordQuery query) {
    List<JobRecord> found = new ArrayList<>();
    records.find(query, at(100_000), found::add);
    return found;
  }

  private List<JobRecord> all() {
    return find(RecordQuery.window(START, at(100_000)).withDuplicates(true));
  }

  private static Event ends(int id, long seconds, JobState state, ExitCode exit) {
    return new Event.JobCompleting(at(seconds), id, 0, state, exit, Reason.NONE);
  }

  @Test
  void aRunIsKeptFromItsSubmissionToItsEndWithItsScript() {
    int id = started("a").id();
    assertThat(all())
        .singleElement()
        .satisfies(
            r -> {
              assertThat(r.state()).isEqualTo(JobState.RUNNING);
              assertThat(r.ended()).isNull();
              assertThat(r.allocated().cpus()).isEqualTo(32);
            });
    records.follow(
        List.of(
            ends(id, 70, JobState.FAILED, new ExitCode(3, 0)),
            new Event.JobReleased(at(72), id, 0)));
    JobRecord over = all().getFirst();
    assertThat(over.ended()).isEqualTo(at(70));
    assertThat(over.job().exitCode()).isEqualTo(new ExitCode(3, 0));
    StepRecord script = over.steps().getFirst();
    assertThat(script.idText()).isEqualTo("batch");
    assertThat(script.state()).isEqualTo(JobState.FAILED);
    assertThat(script.ended()).isEqualTo(at(70));
    assertThat(script.tres().cpus()).isEqualTo(16);
  }

  @Test
  void whatAStepUsedIsKeptWithIt() {
    int id = started("a").id();
    StepUsage.OfTasks one = new StepUsage.OfTasks(4096, "n1", 0, 4096);
    StepUsage usage = new StepUsage(1_500_000, 20_000, 1, one, one, one, one, one, one);
    records.follow(
        List.of(
            new Event.StepUsed(at(60), id, 0, StepRecord.BATCH, usage),
            ends(id, 70, JobState.FAILED, new ExitCode(3, 0)),
            new Event.JobReleased(at(72), id, 0)));
    assertThat(all().getFirst().steps().getFirst().usage()).isEqualTo(usage);
  }

  @Test
  void aRequeuedRunKeepsARecordOfItsOwnAndItsScriptWasKilled() {
    int id = started("a").id();
    records.follow(
        List.of(
            new Event.JobRequeued(at(40), id, at(161), Reason.BEGIN_TIME, false),
            new Event.JobReleased(at(41), id, 0)));
    List<JobRecord> runs = all();
    assertThat(runs).hasSize(2);
    assertThat(runs.getFirst().requeued()).isTrue();
    assertThat(runs.getFirst().steps().getFirst().exitCode()).isEqualTo(new ExitCode(0, 15));
    assertThat(runs.getLast().state()).isEqualTo(JobState.PENDING);
    assertThat(runs.getLast().eligible()).isEqualTo(at(161));
    // Before it may start again only the run before it lies in a window.
    assertThat(find(RecordQuery.window(START, at(60)))).containsExactly(runs.getFirst());
    assertThat(find(RecordQuery.window(START, at(200)))).containsExactly(runs.getLast());
  }

  @Test
  void whoCancelledAJobIsKept() {
    int id = started("a").id();
    records.follow(
        List.of(
            new Event.JobCompleting(
                at(50), id, 0, JobState.CANCELLED, ExitCode.OK, Reason.NONE, 1004)));
    assertThat(all().getFirst().killedBy()).isEqualTo(1004);
  }

  @Test
  void aRunThatLosesNodesGoesOnAsARecordOfItsOwn() {
    Job waiting = started("a");
    Job running = lab.job(waiting.id());
    Allocation held = Objects.requireNonNull(running.allocation());
    Allocation rest = new Allocation(held.shares().subList(0, 1), Tres.NONE, held.blocked());
    Job smaller = running.with(j -> j.started(at(10)).allocation(rest));
    records.follow(
        List.of(
            new Event.JobEdited(at(40), smaller, "root", "numnodes=1"),
            ends(waiting.id(), 70, JobState.COMPLETED, ExitCode.OK)));
    List<JobRecord> parts = find(RecordQuery.window(START, at(100)));
    assertThat(parts).extracting(JobRecord::resized).containsExactly(true, false);
    assertThat(parts).extracting(JobRecord::started).containsExactly(at(10), at(40));
    assertThat(parts).extracting(JobRecord::ended).containsExactly(at(40), at(70));
    assertThat(parts.getFirst().allocated().cpus()).isEqualTo(32);
    // The script began with the first part, and is told of there.
    assertThat(parts.getFirst().steps().getFirst().state()).isEqualTo(JobState.COMPLETED);
    assertThat(parts.getLast().steps()).isEmpty();
  }

  @Test
  void timeInSuspensionIsKeptApart() {
    int id = started("a").id();
    records.follow(
        List.of(
            new Event.JobSuspended(at(20), id, 0, Suspension.Cause.OPERATOR, 0),
            new Event.JobResumed(at(50), id, 0)));
    assertThat(all().getFirst().suspendedSeconds()).isEqualTo(30);
    assertThat(all().getFirst().suspendedSince()).isNull();
  }

  @Test
  void aWindowOfStatesFindsThoseThatWereInThemThen() {
    int id = started("a").id();
    records.follow(List.of(ends(id, 70, JobState.COMPLETED, ExitCode.OK)));
    RecordQuery at30 = RecordQuery.window(at(30), at(31));
    assertThat(find(at30.withStates(List.of("RUNNING")))).hasSize(1);
    assertThat(find(at30.withStates(List.of("COMPLETED")))).isEmpty();
    RecordQuery later = RecordQuery.window(at(60), at(80));
    assertThat(find(later.withStates(List.of("COMPLETED")))).hasSize(1);
    assertThat(find(RecordQuery.window(at(80), at(90)))).isEmpty();
  }

  @Test
  void usageOfHoursThatAreOverIsThatOfTheJobsInThem() {
    int id = started("a").id();
    records.follow(List.of(ends(id, 3610, JobState.COMPLETED, ExitCode.OK)));
    UsageReport report = records.usage(START, at(7200), at(7300));
    UsageReport.Used used = report.used().getFirst();
    assertThat(used.seconds()).containsEntry("cpu", 32L * 3600);
    UsageReport.ClusterTime cpus = Objects.requireNonNull(report.cluster().get("cpu"));
    assertThat(cpus.allocated()).isEqualTo(32L * 3600);
    assertThat(cpus.reported()).isEqualTo(6L * 16 * 7200);
    assertThat(cpus.count()).isEqualTo(96);
    assertThat(records.usage(START, at(7200), at(3000)).cluster()).isEmpty();
  }

  @Test
  void aDrainedNodeCountsAsDownUntilItIsBack() {
    ClusterState state = empty;
    lab.node("n1", "drain");
    records.follow(
        List.of(
            new Event.NodeChanged(
                at(600), "n1", Objects.requireNonNull(lab.state().node("n1")).status(), "root"),
            new Event.NodeChanged(
                at(1200), "n1", Objects.requireNonNull(state.node("n1")).status(), "root")));
    UsageReport report = records.usage(START, at(3600), at(3700));
    assertThat(Objects.requireNonNull(report.cluster().get("cpu")).down()).isEqualTo(16L * 600);
  }
}
