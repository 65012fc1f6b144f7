package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.engine.RandomLab;
import dev.yardmaster.engine.explain.Explainer;
import dev.yardmaster.engine.plan.Outlook;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Remedy;
import dev.yardmaster.explain.Remedy.Lever;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.PlannedStart;
import dev.yardmaster.model.Topology;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/**
 * The command of a remedy, given to a controller as it is written, by who may give it, is accepted
 * and makes the job start no later than the remedy says.
 */
class RemedyCommandTest {
  @Property(tries = 60, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void everyCommandIsAcceptedAndDoesWhatTheRemedySays(@ForAll long seed) {
    Lab lab = RandomLab.any(seed);
    lab.pass();
    List<Job> pending =
        lab.state().jobs().values().stream()
            .filter(j -> j.state() == JobState.PENDING)
            .limit(3)
            .toList();
    for (Job job : pending) {
      Explainer.explain(lab.state(), job.id(), lab.now())
          .remedies()
          .forEach(r -> holds(lab.state(), lab.now(), job, r));
    }
  }

  static void holds(ClusterState state, Instant now, Job job, Remedy remedy) {
    Identity owner =
        new Identity(job.owner().user(), job.owner().uid(), job.owner().group(), job.owner().gid());
    ClusterState after = run(state, now, remedy.command(), remedy.byOwner() ? owner : ROOT);
    if (!remedy.sentAway().isEmpty()) {
      // a forecast sends nobody away; that the passes do is asked by RemedyTest
      return;
    }
    PlannedStart start = Outlook.of(after, now, Outlook.HORIZON).planned(job.id());
    assertThat(start)
        .as("job %d after %s", job.id(), remedy.command())
        .isNotNull()
        .extracting(PlannedStart::start, InstanceOfAssertFactories.INSTANT)
        .isBeforeOrEqualTo(remedy.start());
  }

  /** The state after a command line, or several with {@code &&} between. */
  static ClusterState run(ClusterState state, Instant now, String lines, Identity by) {
    ClusterState after = state;
    for (String line : lines.split(" && ")) {
      after = runOne(after, now, line, by);
    }
    return after;
  }

  private static ClusterState runOne(ClusterState state, Instant now, String line, Identity by) {
    NodeLinks links = new NodeLinks();
    state.nodes().keySet().forEach(node -> links.attach(node, effect -> {}));
    Core core = new Core(state, new EngineAdmission(), links, state::config, ZoneOffset.UTC, now);
    List<String> words = List.of(line.split(" "));
    Reply reply =
        Objects.requireNonNull(core.handle(command(words, by), now).reply(), "no reply to " + line);
    assertThat(reply).as(line).isNotInstanceOf(Reply.Refused.class);
    for (Node node : core.state().nodes().values()) {
      if (node.status().has(NodeFlag.NOT_RESPONDING)) {
        core.handle(new Command.NodeHeartbeat(node.name(), List.of()), now);
      }
    }
    if (words.getFirst().equals("scancel")) {
      for (Job job : List.copyOf(core.state().jobs().values())) {
        var allocation = job.allocation();
        if (words.contains(job.displayId()) && allocation != null) {
          allocation
              .nodes()
              .forEach(
                  n -> core.handle(new Command.RunGone(n, job.id(), job.restarts(), now), now));
        }
      }
    }
    return core.state();
  }

  private static Command command(List<String> words, Identity by) {
    List<String> rest = words.subList(1, words.size());
    if (words.getFirst().equals("scancel")) {
      return new Command.CancelJobs(by, rest, Immutable.sortedMap(), "");
    }
    if (words.getFirst().equals("sacctmgr")) {
      assertThat(rest.getFirst()).isEqualTo("-i");
      return new Command.ChangeAccounting(by, rest.subList(1, rest.size()), false);
    }
    if (rest.getFirst().equals("release")) {
      return new Command.ReleaseJobs(by, rest.get(1));
    }
    assertThat(rest.getFirst()).isEqualTo("update");
    SortedMap<String, String> fields =
        new TreeMap<>(Bench.fields(rest.subList(1, rest.size()).toArray(String[]::new)));
    String what = rest.get(1).replaceAll("=.*", "");
    String name = Objects.requireNonNull(fields.get(what));
    if (!what.equals("reservation")) {
      fields.remove(what);
    }
    return switch (what) {
      case "job" -> new Command.UpdateJob(by, name, fields);
      case "node" -> new Command.UpdateNodes(by, name, fields);
      case "partition" -> new Command.UpdatePartition(by, name, fields);
      case "reservation" -> new Command.SaveReservation(by, false, fields);
      default -> throw new AssertionError(what);
    };
  }

  private static Remedy only(Lab lab, int id, Lever lever) {
    Explanation e = Explainer.explain(lab.state(), id, lab.now());
    Remedy remedy =
        e.remedies().stream()
            .filter(r -> r.lever() == lever)
            .findFirst()
            .orElseThrow(() -> new AssertionError(lever + " not in " + e.remedies()));
    holds(lab.state(), lab.now(), lab.job(id), remedy);
    return remedy;
  }

  @Test
  void aReservationInTheWayIsMovedBehindTheJob() {
    Lab lab = Lab.sixNodes();
    lab.reserve("course", Lab.at(30), 120, "n[1-6]", "bob");
    int id = lab.submit(JobSpec.job("long").nodes(2).minutes(60));
    lab.pass();
    Remedy moved = only(lab, id, Lever.MOVE_RESERVATION);
    assertThat(moved.command())
        .isEqualTo("scontrol update reservation=course starttime=now+60minutes");
    assertThat(moved.start()).isEqualTo(lab.now());
    assertThat(moved.byOwner()).isFalse();
  }

  @Test
  void aReservationThatHasStartedOrWouldLieOverAnotherIsNotMoved() {
    Lab lab = Lab.sixNodes();
    lab.reserve("now", Lab.at(0), 120, "n[1-3]", "bob");
    lab.reserve("soon", Lab.at(30), 60, "n[4-6]", "bob");
    lab.reserve("then", Lab.at(90), 60, "n[4-6]", "bob");
    int id = lab.submit(JobSpec.job("long").nodes(2).minutes(60));
    lab.pass();
    assertThat(Explainer.explain(lab.state(), id, lab.now()).remedies())
        .noneMatch(r -> r.lever() == Lever.MOVE_RESERVATION);
  }

  @Test
  void wishesThatKeepNodesOutAreDropped() {
    Lab lab =
        Lab.with()
            .nodes("n[1-4]")
            .topology(
                new Topology.Tree(
                    "default",
                    List.of(
                        new Topology.Switch("left", List.of(), List.of("n1", "n2")),
                        new Topology.Switch("right", List.of(), List.of("n3", "n4")),
                        new Topology.Switch("core", List.of("left", "right"), List.of()))))
            .build();
    lab.submit(JobSpec.job("busy").nodes(1).on("n2").exclusive().minutes(60));
    lab.pass();
    List<String> options = List.of("-N3", "--switches=1@24:00:00", "-t30");
    int id = lab.submit(JobSpec.parse("near", options, lab.now()));
    lab.pass();
    assertThat(only(lab, id, Lever.DROP_SWITCHES).start()).isEqualTo(lab.now());
    lab.cancel(id);
    int row = lab.submit(JobSpec.parse("row", List.of("-N3", "--contiguous", "-t30"), lab.now()));
    lab.pass();
    assertThat(only(lab, row, Lever.DROP_CONTIGUOUS).start()).isEqualTo(lab.now());
    lab.cancel(row);
    int whole = lab.submit(JobSpec.parse("whole", List.of("-N4", "--exclusive"), lab.now()));
    lab.pass();
    assertThat(Explainer.explain(lab.state(), whole, lab.now()).remedies())
        .noneMatch(r -> r.lever() == Lever.DROP_EXCLUSIVE);
  }

  @Test
  void aJobOfMoreTasksThanThePartitionAllowsNodesForIsHelpedByTheLimitThatItNeeds() {
    Lab lab =
        Lab.with()
            .nodes("n[1-6]")
            .partition("main", "n[1-6]", p -> p.withIsDefault(true).withMaxNodes(2))
            .build();
    int id = lab.submit(JobSpec.parse("wide", List.of("-n64", "-t30"), lab.now()));
    lab.pass();
    Remedy raised = only(lab, id, Lever.RAISE_PARTITION_LIMIT);
    assertThat(raised.command()).isEqualTo("scontrol update partition=main maxnodes=64");
    assertThat(raised.start()).isEqualTo(lab.now());
  }

  @Test
  void anotherQosWithoutTheLimitIsOfferedToItsUser() {
    Lab lab = Lab.with().nodes("n[1-2]").setting("AccountingStorageEnforce", "limits,qos").build();
    for (String line :
        List.of(
            "add qos tight",
            "add qos wide",
            "add account lab",
            "add user alice account=lab",
            "modify account root set qos=tight,wide",
            "modify qos tight set MaxTRESPerUser=cpu=2")) {
      lab.accounts(Arrays.asList(line.split(" ")));
    }
    int id = lab.submit(JobSpec.parse("j", List.of("-q", "tight", "-n4"), lab.now()));
    lab.pass();
    Remedy other = only(lab, id, Lever.OTHER_QOS);
    assertThat(other.byOwner()).isTrue();
    assertThat(other.command()).isEqualTo("scontrol update job=" + id + " qos=wide");
    only(lab, id, Lever.RAISE_LIMIT);
  }
}
