package dev.yardmaster.engine;

import static dev.yardmaster.engine.JobSpec.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.explain.Explainer;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.explain.Blocker;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.explain.Outcome;
import dev.yardmaster.explain.Remedy;
import dev.yardmaster.explain.Remedy.Lever;
import dev.yardmaster.explain.Verdict;
import dev.yardmaster.explain.Words;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeFlag;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExplainerTest {
  private static final Words ENGLISH = Words.of(Locale.ENGLISH, ZoneOffset.UTC);

  private static String ticket(Explanation e) {
    return ENGLISH.ticket(e);
  }

  private static Explanation explain(Lab lab, int id) {
    return Explainer.explain(lab.state(), id, lab.now());
  }

  private static Remedy remedy(Explanation e, Lever lever) {
    return e.remedies().stream().filter(r -> r.lever() == lever).findFirst().orElseThrow();
  }

  @Test
  void namesTheBusyNodesAndTheJobWhoseEndItWaitsFor() {
    Lab lab = Lab.sixNodes();
    lab.submit(job("r1").nodes(2).on("n[1-2]").exclusive().minutes(30));
    lab.submit(job("r2").nodes(2).on("n[3-4]").exclusive().minutes(60));
    lab.pass();
    int wants = lab.submit(job("wants").user("bob").nodes(4).gpus(8).minutes(60));
    lab.pass();
    Explanation e = explain(lab, wants);
    assertThat(e.verdict()).isEqualTo(Verdict.SOON);
    assertThat(e.binding()).isEqualTo(Gate.NODES_FREE_CPUS);
    assertThat(java.util.Objects.requireNonNull(e.forecast()).byLimits()).isEqualTo(Lab.at(30));
    assertThat(e.blockers()).extracting(Blocker::name).containsExactly("1");
    assertThat(remedy(e, Lever.FEWER_NODES).command())
        .isEqualTo("scontrol update job=3 numnodes=2");
    assertThat(remedy(e, Lever.OTHER_JOB_ENDS).byOwner()).isFalse();
    assertThat(e.finding(Gate.NODES_FREE_CPUS).orElseThrow().evidence())
        .isInstanceOfSatisfying(
            Evidence.Nodes.class,
            nodes -> assertThat(nodes.falls().getFirst().nodes()).hasToString("n[1-4]"));
  }

  @Test
  void aReservationIsInTheWayOnlyWhereNodesLackAndTheStartWaitsForIt() {
    Lab lab = Lab.sixNodes();
    lab.reserve("course", Lab.at(0), 60, "n[1-2]", "carol");
    lab.submit(job("busy").nodes(4).on("n[3-6]").exclusive().minutes(30));
    lab.pass();
    int begins = lab.submit(JobSpec.parse("b", List.of("-N1", "--begin=+600"), lab.now()));
    int waits = lab.submit(job("waits").nodes(1).exclusive().minutes(10));
    int both = lab.submit(job("both").nodes(6).exclusive().minutes(10));
    lab.pass();
    assertThat(explain(lab, begins).blockers()).isEmpty();
    assertThat(explain(lab, waits).blockers()).extracting(Blocker::name).containsExactly("1");
    assertThat(explain(lab, both).blockers()).extracting(Blocker::name).contains("course");
  }

  @Test
  void whatWasCheckedIsStillToldWhenTheNodesAreDrainedOrTheJobIsHeldMeanwhile() {
    Lab lab = Lab.sixNodes();
    int runs = lab.submit(job("runs").nodes(2).minutes(30));
    lab.pass();
    lab.node("n[1-2]", "drain");
    assertThat(explain(lab, runs).findings()).isNotEmpty();
  }

  @Test
  void ofLessOfAnAmountTheMostThatSufficesIsTold() {
    Lab lab = Lab.sixNodes();
    lab.submit(job("busy").nodes(1).on("n1").exclusive().minutes(600));
    lab.pass();
    int wide = lab.submit(JobSpec.parse("wide", List.of("-n90", "-t30", "--mem=100"), lab.now()));
    lab.pass();
    assertThat(remedy(explain(lab, wide), Lever.FEWER_CPUS).command())
        .isEqualTo("scontrol update job=" + wide + " numtasks=80");
  }

  @Test
  void aRunningJobHasNoRuleThatWasNotReached() {
    Lab lab = Lab.sixNodes();
    int runs = lab.submit(job("runs").nodes(2).minutes(30));
    lab.pass();
    Explanation e = explain(lab, runs);
    assertThat(e.verdict()).isEqualTo(Verdict.RUNNING);
    assertThat(e.findings())
        .isNotEmpty()
        .extracting(Finding::outcome)
        .doesNotContain(Outcome.NOT_REACHED);
    assertThat(ticket(e)).doesNotContain("not reached").doesNotContain("Its turn");
  }

  @Test
  void toResumeNodesSaysTheirStatesAndReasonsInWords() {
    Lab lab = Lab.sixNodes();
    lab.node("n[3-4]", "drain");
    Node five = Objects.requireNonNull(lab.state().node("n5"));
    lab.apply(
        new Event.NodeChanged(
            lab.now(),
            "n5",
            five.status().with(s -> s.flags(Set.of(NodeFlag.DRAIN)).reason("Bad NIC")),
            "root"));
    lab.node("n6", "down");
    int waits = lab.submit(job("waits").nodes(6).minutes(10));
    lab.pass();
    assertThat(ENGLISH.remedy(remedy(explain(lab, waits), Lever.RESUME_NODES)))
        .isEqualTo(
            "Resume n[3-6] (n6 is down; n[3-4] are drained; n5 is drained, reason \"Bad NIC\")");
  }

  @Test
  void whatTheHardwareCanNeverHoldIsSaidWithWhatTheLargestNodeHasAndNothingIsSaidOfWhatIsFree() {
    Lab lab =
        Lab.with()
            .nodes("small[1-3]", n -> n.with(s -> s.sockets(1).coresPerSocket(2).cpus(2)))
            .nodes("large1")
            .build();
    neverFits(lab, job("cpus").cpusPerTask(19), Gate.NODES_CAPACITY, "16 CPUs");
    neverFits(lab, job("two").nodes(2).cpusPerTask(9), Gate.NODES_CAPACITY, "2 CPUs");
    neverFits(lab, job("mem").mem(100_000), Gate.NODES_CAPACITY, "62.50G of memory");
    neverFits(lab, job("gpus").gpus(9), Gate.NODES_GRES, "8 GPUs");
    neverFits(lab, job("tasks").nodes(1).tasks(17), Gate.NODES_CAPACITY, "16 CPUs");
    Explanation wide = explain(lab, lab.submit(job("wide").nodes(2).tasks(33)));
    assertThat(wide.verdict()).isEqualTo(Verdict.NEVER);
    assertThat(wide.binding()).isEqualTo(Gate.PARTITION_NODES);
    assertThat(ENGLISH.answer(wide)).endsWith(" have 22 together.");
    assertThat(ticket(explain(lab, lab.submit(job("sum").tasks(99)))))
        .doesNotContain("[passed] Enough CPUs free");
  }

  private static void neverFits(Lab lab, JobSpec spec, Gate gate, String most) {
    Explanation e = explain(lab, lab.submit(spec));
    assertThat(e.verdict()).isEqualTo(Verdict.NEVER);
    assertThat(e.binding()).isEqualTo(gate);
    assertThat(ENGLISH.answer(e)).endsWith(" The largest node that is too small has " + most + ".");
    assertThat(ticket(e))
        .contains("(the largest has " + most + ")")
        .doesNotContain("CPUs free")
        .doesNotContain("memory free")
        .doesNotContain("GPUs free");
  }

  @Test
  void aJobThatWaitsForItsReservationIsToldItsNameItsStartAndItsOwnStart() {
    Lab lab = Lab.sixNodes();
    lab.reserve("course", Lab.at(60), 120, "n[1-2]", "alice");
    int waits = lab.submit(job("waits").user("alice").minutes(10));
    lab.edit(waits, j -> j.withReservation("course"));
    lab.pass();
    Explanation e = explain(lab, waits);
    assertThat(e.binding()).isEqualTo(Gate.RESERVATION);
    assertThat(e.finding(Gate.RESERVATION).orElseThrow().evidence())
        .isEqualTo(new Evidence.InReservation("course", Lab.at(60)));
    assertThat(ENGLISH.answer(e))
        .isEqualTo("Job 1 waits waits for its reservation course, which starts 13:00.");
    assertThat(Objects.requireNonNull(e.forecast()).byLimits()).isEqualTo(Lab.at(60));
    assertThat(Objects.requireNonNull(e.forecast()).nodes()).hasToString("n1");
    assertThat(e.blockers()).isEmpty();
  }

  @Test
  void nothingIsSaidOfTheTurnOfAJobThatIsHeldForItHasNoPlaceInTheOrder() {
    Lab lab = Lab.sixNodes();
    lab.submit(job("runs").nodes(6).exclusive().minutes(30));
    lab.pass();
    lab.submit(job("first").nodes(6).priority(9));
    int held = lab.submit(job("held").nodes(1).priority(8).held());
    lab.submit(job("last").nodes(6).priority(7));
    lab.pass();
    Explanation e = explain(lab, held);
    assertThat(e.binding()).isEqualTo(Gate.HOLD);
    assertThat(e.finding(Gate.PRIORITY).orElseThrow().outcome()).isEqualTo(Outcome.NOT_APPLICABLE);
    assertThat(ticket(e)).doesNotContain("Its turn");
  }

  @Test
  void nodesPlannedForAnotherJobNameItAndSayWhatItWillHold() {
    Lab lab = Lab.sixNodes();
    lab.submit(job("runs").nodes(4).exclusive().minutes(30));
    lab.pass();
    lab.submit(job("big").nodes(6).gpus(8).minutes(60));
    lab.pass();
    int small = lab.submit(job("small").nodes(1).gpus(1).minutes(60));
    lab.pass();
    Explanation e = explain(lab, small);
    assertThat(e.binding()).isEqualTo(Gate.NODES_UNPLANNED);
    assertThat(ticket(e))
        .contains("2 nodes planned for job 2: n[5-6]")
        .contains("2 big: has 16 GPUs planned until 13:30");
  }
}
