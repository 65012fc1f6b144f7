package dev.yardmaster.console.why;

import java.util.List;

/**
 * What is told of a job that runs or has ended: the answer, where, when and how. Two equal pages
 * look the same.
 *
 * @param outcome how it ended; empty for a running job
 */
public record RunPage(
    String answer,
    String lead,
    WhyPage.Badge state,
    String whereTitle,
    List<Place> places,
    List<WhyPage.Fact> times,
    List<WhyPage.Fact> outcome) {
  public RunPage {
    places = List.copyOf(places);
    times = List.copyOf(times);
    outcome = List.copyOf(outcome);
  }

  /** What the job holds on one node. */
  public record Place(String node, String gpus, String cpus, String memory) {}
}
