package dev.yardmaster.console.inspector;

import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.fx.Latest;
import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.shell.Inspection;
import dev.yardmaster.console.shell.Item;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import javafx.beans.property.ObjectProperty;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the inspection of the selected thing up to date: at once when another is selected, and once
 * a second while the cluster and the clock move on. To be used on the JavaFX thread.
 */
public final class InspectorViewModel {
  private final ClusterModel cluster;
  private final ObjectProperty<@Nullable Item> selection;
  private final ObjectProperty<@Nullable Inspection> inspection;
  private final InspectorWriter writer;
  private final Latest work;

  /**
   * Starts to follow the selection.
   *
   * @param inspection where to put what is to be shown
   */
  public InspectorViewModel(
      ClusterModel cluster,
      ObjectProperty<@Nullable Item> selection,
      ObjectProperty<@Nullable Inspection> inspection,
      InspectorWriter writer,
      Tasks tasks) {
    this.cluster = cluster;
    this.selection = selection;
    this.inspection = inspection;
    this.writer = writer;
    this.work = new Latest(tasks);
    selection.addListener(o -> refresh());
    cluster.nowProperty().addListener(o -> refresh());
    refresh();
  }

  private void refresh() {
    Item item = selection.get();
    Snapshot snapshot = cluster.snapshot();
    if (item == null || snapshot == null) {
      show(null);
      return;
    }
    Instant now = cluster.now();
    work.run(
        p -> Optional.ofNullable(writer.inspect(item, snapshot, now)),
        written -> show(written.orElse(null)));
  }

  private void show(@Nullable Inspection written) {
    if (!Objects.equals(written, inspection.get())) {
      inspection.set(written);
    }
  }
}
