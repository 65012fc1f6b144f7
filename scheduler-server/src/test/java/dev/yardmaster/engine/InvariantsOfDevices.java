package dev.yardmaster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.PlannedStart;
import java.util.TreeMap;

/** What holds after each step where cores and GPUs are planned rather than whole nodes. */
public final class InvariantsOfDevices {
  private InvariantsOfDevices() {}

  /** Nothing is taken twice, no limit exceeded. */
  public static void check(Lab lab) {
    Invariants.check(lab.state());
  }

  /**
   * Runs all passes, and checks what they did: nothing is taken twice, and what started leaves the
   * planned starts of all ahead of it as they were, as planning again at once shows.
   */
  public static void pass(Lab lab) {
    lab.pass();
    check(lab);
    TreeMap<Integer, PlannedStart> before = new TreeMap<>();
    for (Job job : lab.state().jobs().values()) {
      if (job.planned() != null) {
        before.put(job.id(), job.planned());
      }
    }
    lab.pass();
    check(lab);
    before.forEach(
        (id, planned) -> {
          Job job = lab.job(id);
          PlannedStart again = job.planned();
          boolean kept =
              job.started() != null || (again != null && !again.start().isAfter(planned.start()));
          assertThat(kept).as("job %d, planned for %s, now for %s", id, planned, again).isTrue();
        });
  }
}
