package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.Lab;
import dev.yardmaster.engine.plan.Foresight;
import dev.yardmaster.engine.plan.Outlook;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Remedy;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.text.TimeLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** The changes behind remedies, made again. */
final class MadeRemedies {
  private MadeRemedies() {}

  static Candidate candidate(Lab lab, Job job, Explanation e, Remedy remedy) {
    Fork fork = new Fork(lab.state(), lab.now(), job);
    JobLevers levers = new JobLevers(lab.state(), lab.now(), job, fork);
    SiteLevers site = new SiteLevers(lab.state(), lab.now(), job, fork, e.findings());
    List<Candidate> candidates = new ArrayList<>(site.all());
    candidates.addAll(site.priority());
    candidates.addAll(levers.all());
    List.copyOf(candidates).forEach(c -> candidates.addAll(levers.milder(c)));
    candidates.addAll(levers.pairs());
    if (remedy.lever() == Remedy.Lever.SHORTER_TIME_LIMIT) {
      candidates.add(levers.timeLimit(remedy.lever(), TimeLimits.parseMinutes(remedy.to())));
    }
    if (remedy.lever() == Remedy.Lever.RAISE_LIMIT) {
      LimitLevers limits = new LimitLevers(lab.state(), lab.now(), job);
      List<LimitLevers.Raise> raises = limits.of(e.findings());
      List<LimitLevers.Raise> all =
          new Remedies(
                  lab.state(),
                  lab.now(),
                  job,
                  Outlook.of(lab.state(), lab.now(), Outlook.HORIZON),
                  new Foresight(),
                  e.partition(),
                  e.findings())
              .withThoseBehind(limits, raises);
      List<List<LimitLevers.Raise>> ways = new ArrayList<>(List.of(all));
      raises.forEach(raise -> ways.add(List.of(raise)));
      return LongStream.rangeClosed(0, Remedies.MOST_PARTS)
          .boxed()
          .flatMap(parts -> ways.stream().map(way -> limits.raised(way, parts)))
          .filter(c -> c.command().equals(remedy.command()))
          .findFirst()
          .orElseThrow();
    }
    if (remedy.lever() == Remedy.Lever.OTHER_JOB_ENDS) {
      List<String> ids = List.of(remedy.to().split(" "));
      candidates.add(
          fork.without(
              lab.state().jobs().values().stream()
                  .filter(j -> ids.contains(j.displayId()))
                  .toList()));
    }
    return candidates.stream()
        .filter(c -> c.command().equals(remedy.command()) && c.lever() == remedy.lever())
        .findFirst()
        .orElseThrow();
  }
}
