package dev.yardmaster.history;

import dev.yardmaster.explain.JobHistory.Edit;
import dev.yardmaster.explain.JobHistory.Stage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts the changes of a job together to the stages of its life. */
final class Stages {
  private final List<Stage> stages = new ArrayList<>();
  private List<Edit> edits = new ArrayList<>();
  private @Nullable Change first;

  private Stages() {}

  /**
   * @param changes in the order in which they happened
   */
  static List<Stage> of(List<Change> changes) {
    Stages stages = new Stages();
    changes.forEach(stages::add);
    stages.end(null);
    return stages.stages;
  }

  private void add(Change change) {
    Change begun = first;
    if (begun == null || begun.shown() == null || !begun.shown().equals(change.shown())) {
      end(change.at());
      first = change;
    }
    if (!change.edit().isEmpty()) {
      edits.add(new Edit(change.sequence(), change.at(), change.by(), change.edit()));
    }
  }

  private void end(@Nullable Instant until) {
    Change begun = first;
    if (begun == null) {
      return;
    }
    Shown shown = begun.shown();
    if (shown != null) {
      stages.add(
          new Stage(
              begun.sequence(),
              begun.at(),
              until,
              shown.state(),
              shown.completing(),
              shown.reason(),
              shown.reasonText(),
              shown.restarts(),
              shown.nodes(),
              edits));
    }
    edits = new ArrayList<>();
  }
}
