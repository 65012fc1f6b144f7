package dev.yardmaster.console.why;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is told of a job that runs or has ended: the answer, where, when and how. Two equal pages
 * look the same.
 *
 * @param reasons why it was placed there, as the rules said when it started, those first that
 *     chose; empty while that is not known
 * @param turn how its turn came; null for a job that never started
 * @param heldBack who waits for its end; null while that is not known, and when it has ended
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
    @Nullable Turn turn,
    @Nullable HeldBack heldBack,
    List<WhyPage.Fact> outcome) {
  public RunPage {
    places = List.copyOf(places);
    reasons = List.copyOf(reasons);
    times = List.copyOf(times);
    outcome = List.copyOf(outcome);
  }

  /**
   * How the turn of a job came.
   *
   * @param waits what it waited for, as parts of the whole wait
   */
  public record Turn(String how, List<WhyPage.Amount> waits, WhyPage.Priority priority) {
    public Turn {
      waits = List.copyOf(waits);
    }
  }

  /**
   * The jobs that would start earlier if this one ended now.
   *
   * @param remark how many there are, or that there are none
   */
  public record HeldBack(String remark, List<WhyPage.Obstacle> jobs) {
    public HeldBack {
      jobs = List.copyOf(jobs);
    }
  }

  /**
   * What the job holds on one node, or on each of several nodes where it holds the same.
   *
   * @param node a name, or several in bracket form
   * @param count how many nodes these are
   */
  public record Place(String node, int count, String gpus, String cpus, String memory) {}
}
