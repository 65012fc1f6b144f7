package dev.yardmaster.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.engine.RandomLab;
import dev.yardmaster.engine.plan.Foresight;
import dev.yardmaster.engine.plan.Outlook;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Forecast;
import dev.yardmaster.explain.Remedy;
import dev.yardmaster.explain.Verdict;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.sim.VirtualCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whatever is told at one moment is told of one future: the starts of all jobs, what remedies gain
 * and whom they delay. And that future is what comes, when every job runs to its limit.
 */
class OneFutureTest {
  private static List<Job> pending(Lab lab) {
    return lab.state().jobs().values().stream()
        .filter(j -> j.state() == JobState.PENDING && j.het() == null)
        .toList();
  }

  private static Explanation explain(Lab lab, Job job) {
    return Explainer.explain(lab.state(), job.id(), lab.now());
  }

  /** A use of nodes that was told, or that is. */
  private record Use(String what, Instant from, @Nullable Instant to, HostList nodes, Job job) {
    boolean at(Instant time) {
      return !from.isAfter(time) && (to == null || to.isAfter(time));
    }

    boolean whole() {
      return job.request().exclusivity() == Exclusivity.NODE;
    }

    long gpus() {
      return job.request().gres().stream()
          .filter(g -> g.name().equals("gpu") && g.scope() == GresRequest.Scope.NODE)
          .mapToLong(GresRequest::count)
          .sum();
    }
  }

  @Property(tries = 150, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void noDeviceIsPromisedTwice(@ForAll long seed) {
    Lab lab = RandomLab.any(seed);
    lab.pass();
    if (preempts(lab)) {
      return;
    }
    List<Use> uses = new ArrayList<>();
    for (Job job : lab.state().jobs().values()) {
      if (job.allocation() != null && job.state() == JobState.RUNNING) {
        uses.add(new Use("runs", lab.now(), job.ended(), job.allocation().nodes(), job));
      }
    }
    for (Job job : pending(lab)) {
      Forecast forecast = explain(lab, job).forecast();
      Instant start = forecast == null ? null : forecast.byLimits();
      if (forecast != null && start != null) {
        // with --time-min it may get less time than it asks for
        long least = job.timeMinMinutes() > 0 ? job.timeMinMinutes() : job.timeLimitMinutes();
        Instant end = start.plusSeconds(60 * least);
        uses.add(new Use("waits", start, end, forecast.nodes(), job));
      }
    }
    for (Use use : uses) {
      TreeMap<String, Long> gpus = new TreeMap<>();
      TreeMap<String, List<Use>> holders = new TreeMap<>();
      uses.stream()
          .filter(u -> u.at(use.from()))
          .forEach(
              u ->
                  u.nodes()
                      .expand()
                      .forEach(
                          n -> {
                            gpus.merge(n, u.gpus(), Long::sum);
                            holders.computeIfAbsent(n, x -> new ArrayList<>()).add(u);
                          }));
      holders.forEach(
          (n, all) -> {
            assertThat(all.size() == 1 || all.stream().noneMatch(Use::whole))
                .as("%s at %s: %s", n, use.from(), all)
                .isTrue();
            assertThat(gpus.get(n)).as("GPUs of %s: %s", n, all).isLessThanOrEqualTo(gpus(lab, n));
          });
    }
  }

  private static long gpus(Lab lab, String node) {
    return lab.state().config().nodes().stream()
        .filter(n -> n.name().equals(node))
        .flatMap(n -> n.gres().stream())
        .mapToLong(g -> g.count())
        .sum();
  }

  private static boolean preempts(Lab lab) {
    return lab.state().config().setting("PreemptType").isPresent();
  }

  /** A long queue is planned in one go, which may differ from what a pass does at this moment. */
  @Property(tries = 300, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void noJobOfALongQueueThatAPassHoldsBackIsSaidToStartAtOnce(@ForAll long seed) {
    Lab lab = RandomLab.any(seed);
    for (int i = 0; i < 400; i++) {
      lab.submit(JobSpec.parse("h", List.of("-N1", "-t10", "-H"), lab.now()));
    }
    lab.pass();
    lab.pass();
    Outlook outlook = Outlook.of(lab.state(), lab.now(), Outlook.HORIZON, new Foresight());
    for (Job job : pending(lab)) {
      Instant told = outlook.start(job.id());
      if (told != null && !told.isAfter(lab.now())) {
        Explanation e = explain(lab, job);
        Forecast forecast = e.forecast();
        Instant start = forecast == null ? null : forecast.byLimits();
        if (e.binding() != null && start != null) {
          assertThat(start).as("%s of %s", e.binding(), job.id()).isAfter(lab.now());
        }
      }
    }
  }

  @Property(tries = 100, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void aRemedyGainsAndCostsWhatTheTwoFuturesDiffer(@ForAll long seed) {
    Lab lab = RandomLab.any(seed);
    lab.pass();
    // both futures are looked at as far ahead as the first can be played
    Foresight foresight = new Foresight();
    Outlook before = Outlook.of(lab.state(), lab.now(), Outlook.HORIZON, foresight);
    for (Job job : pending(lab)) {
      Explanation e = explain(lab, job);
      for (Remedy remedy : e.remedies()) {
        if (!remedy.sentAway().isEmpty()) {
          continue;
        }
        Candidate made = MadeRemedies.candidate(lab, job, e, remedy);
        Outlook after = Outlook.of(made.fork(), lab.now(), Outlook.HORIZON, foresight);
        Instant start = before.start(job.id());
        assertThat(after.start(job.id())).as(remedy.command()).isEqualTo(remedy.start());
        Long gain = start == null ? null : Duration.between(remedy.start(), start).toSeconds();
        assertThat(remedy.gainSeconds()).as(remedy.command()).isEqualTo(gain);
        assertThat(gain == null || gain > 0 || remedy.lever() == Remedy.Lever.RAISE_LIMIT)
            .as("%s gains %s", remedy.command(), gain)
            .isTrue();
        TreeMap<Integer, Long> delayed = new TreeMap<>();
        for (Job other : lab.state().jobs().values()) {
          Job then = made.fork().job(other.id());
          Instant was = before.start(other.id());
          Instant is = after.start(other.id());
          boolean waits = then != null && then.state() == JobState.PENDING;
          if (waits && was != null && other.id() != job.id() && (is == null || is.isAfter(was))) {
            long seconds = is == null ? Remedy.Delay.NEVER : Duration.between(was, is).toSeconds();
            delayed.put(other.id(), seconds);
          }
        }
        TreeMap<Integer, Long> told = new TreeMap<>();
        remedy.delayed().forEach(d -> told.put(d.jobId(), d.seconds()));
        assertThat(told).as(remedy.command()).isEqualTo(delayed);
      }
    }
  }

  /** Two nodes side by side for two GPUs of a job: empty ones do not do, and others do later. */
  @Test
  void aJobThatStartsIsNotToldThatItNeverDoes() {
    whatIsToldComes(318_063_218L);
  }

  @Property(tries = 100, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void whatIsToldComes(@ForAll long seed) {
    Lab lab = RandomLab.any(seed);
    lab.pass();
    if (dependsOnHowJobsEnd(lab)) {
      return;
    }
    VirtualCluster cluster = played(lab, lab.state());
    for (Job job : pending(lab)) {
      Explanation e = explain(lab, job);
      Forecast forecast = e.forecast();
      Job after = cluster.state().job(job.id());
      assertThat(forecast).isNotNull();
      if (job.array() == null && forecast != null) {
        assertThat(started(after)).as("job %d", job.id()).isEqualTo(forecast.byLimits());
      }
      if (e.verdict() == Verdict.NEVER) {
        assertThat(started(after)).as("job %d", job.id()).isNull();
      }
    }
  }

  @Property(tries = 60, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void aRemedyThatIsTakenStartsTheJobWhenItSays(@ForAll long seed) {
    Lab lab = RandomLab.any(seed);
    lab.pass();
    if (dependsOnHowJobsEnd(lab)) {
      return;
    }
    for (Job job : pending(lab)) {
      Explanation e = explain(lab, job);
      for (Remedy remedy : e.remedies()) {
        if (job.array() == null && remedy.sentAway().isEmpty()) {
          Candidate made = MadeRemedies.candidate(lab, job, e, remedy);
          VirtualCluster cluster = played(lab, made.fork());
          assertThat(started(cluster.state().job(job.id())))
              .as(remedy.command())
              .isEqualTo(remedy.start());
        }
      }
    }
  }

  private static VirtualCluster played(Lab lab, ClusterState state) {
    VirtualCluster cluster = new VirtualCluster(state, lab.now(), event -> {});
    cluster.run(lab.now().plus(Outlook.HORIZON));
    return cluster;
  }

  private static @Nullable Instant started(@Nullable Job job) {
    return job == null ? null : job.started();
  }

  /** A run that ends by its limit is a failure to those that depend on it; here all end well. */
  private static boolean dependsOnHowJobsEnd(Lab lab) {
    return preempts(lab)
        || lab.state().jobs().values().stream().anyMatch(j -> j.dependency() != null);
  }
}
