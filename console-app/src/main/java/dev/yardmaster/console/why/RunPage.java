package dev.yardmaster.console.why;

import java.util.List;

/**
 * What is told of a job that runs or has ended: the answer, where, when and how. Two equal pages
 * look the same.
 *
 * @param reasons why it was placed there, as the rules said when it started, those first that
 *     chose; empty while that is not known
 * @param outcome how it ended; empty for a running job
 */
public record RunPage(
    String answer,
    String lead,
    WhyPage.Badge state,
    String whereTitle,
    List<Place> places,
    List<WhyPage.GateLine> reasons,
    List<WhyPage.Fact> times,
    List<WhyPage.Fact> outcome) {
  public RunPage {
    places = List.copyOf(places);
    reasons = List.copyOf(reasons);
    times = List.copyOf(times);
    outcome = List.copyOf(outcome);
  }

  /**
   * What the job holds on one node, or on each of several nodes where it holds the same.
   *
   * @param node a name, or several in bracket form
   * @param count how many nodes these are
   */
  public record Place(String node, int count, String gpus, String cpus, String memory) {}
}
