package dev.yardmaster.console.queue;

import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.shell.Item;
import dev.yardmaster.model.Job;
import java.util.List;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that a command acts on: the one that is selected in the window, together with the other
 * rows that are selected with it in the queue. Jobs are followed by their ids through every
 * snapshot; one that left is no longer among them. To be used on the JavaFX thread.
 */
public final class JobSelection {
  private final ClusterModel cluster;
  private final ObjectProperty<@Nullable Item> selection;
  private List<Integer> together = List.of();
  private final ReadOnlyObjectWrapper<List<Job>> jobs =
      new ReadOnlyObjectWrapper<>(this, "jobs", List.of());

  public JobSelection(ClusterModel cluster, ObjectProperty<@Nullable Item> selection) {
    this.cluster = cluster;
    this.selection = selection;
    cluster.snapshotProperty().addListener(o -> follow());
    selection.addListener(o -> follow());
    follow();
  }

  /** Tells which rows are selected in the queue. */
  public void together(List<Job> rows) {
    together = rows.stream().map(Job::id).toList();
    follow();
  }

  /** The jobs as they are now. */
  public ReadOnlyObjectProperty<List<Job>> jobsProperty() {
    return jobs.getReadOnlyProperty();
  }

  private void follow() {
    Integer selected = Items.jobId(selection.get());
    Snapshot snapshot = cluster.snapshot();
    if (selected == null || snapshot == null) {
      jobs.set(List.of());
      return;
    }
    List<Integer> ids = together.contains(selected) ? together : List.of(selected);
    jobs.set(ids.stream().flatMap(id -> snapshot.job(id).stream()).toList());
  }
}
