package dev.yardmaster.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.RandomLab;
import dev.yardmaster.engine.Step;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Remedy;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** A remedy is a promise: the scheduler, with that one change, does what it says. */
class RemedyTest {
  private static final Set<Pass> PASSES = EnumSet.of(Pass.MAIN, Pass.BACKFILL);

  @Property(tries = 100, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void aRemedyThatSaysNowStartsTheJobInTheNextStep(@ForAll long seed) {
    Lab lab = RandomLab.any(seed);
    lab.pass();
    for (Job job : List.copyOf(lab.state().jobs().values())) {
      if (job.state() != JobState.PENDING) {
        continue;
      }
      Explanation e = Explainer.explain(lab.state(), job.id(), lab.now());
      List<Remedy> now = e.remedies().stream().filter(r -> r.start().equals(lab.now())).toList();
      if (now.isEmpty()) {
        continue;
      }
      for (Remedy remedy : now) {
        Candidate made = MadeRemedies.candidate(lab, job, e, remedy);
        Step step = Engine.step(made.fork(), lab.now(), PASSES);
        if (remedy.sentAway().isEmpty()) {
          assertThat(step.decisions())
              .as("%s for job %d", remedy.command(), job.id())
              .anyMatch(d -> d instanceof Decision.Start && d.jobId() == job.id());
        } else {
          assertThat(sentAway(step, job.id()))
              .as("%s for job %d", remedy.command(), job.id())
              .containsAll(remedy.sentAway().stream().map(Remedy.Loss::jobId).toList());
        }
      }
    }
  }

  private static List<Integer> sentAway(Step step, int by) {
    return step.decisions().stream()
        .filter(
            d ->
                (d instanceof Decision.Preempt p && p.preemption().by() == by)
                    || (d instanceof Decision.Suspend s && s.by() == by))
        .map(Decision::jobId)
        .toList();
  }
}
