package dev.yardmaster.console.status;

import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.shell.FrameViewModel;
import dev.yardmaster.console.shell.LiveState;
import dev.yardmaster.console.shell.StatusSegment;
import java.util.List;
import javafx.beans.InvalidationListener;

/** Keeps the status bar, the live pill and the name of the cluster up to date. */
public final class StatusViewModel {
  private final ClusterModel cluster;
  private final FrameViewModel frame;
  private final StatusWriter writer;

  /** Starts to follow a cluster; to be called on the JavaFX thread. */
  public StatusViewModel(ClusterModel cluster, FrameViewModel frame, StatusWriter writer) {
    this.cluster = cluster;
    this.frame = frame;
    this.writer = writer;
    InvalidationListener follow = o -> refresh();
    cluster.nowProperty().addListener(follow);
    cluster.linkProperty().addListener(follow);
    cluster.snapshotProperty().addListener(follow);
    refresh();
  }

  private void refresh() {
    Snapshot snapshot = cluster.snapshot();
    List<StatusSegment> segments = writer.segments(snapshot, cluster.link(), cluster.age());
    if (!segments.equals(frame.statusProperty().get())) {
      frame.statusProperty().set(segments);
    }
    LiveState live = writer.live(cluster.link(), cluster.age());
    if (!live.equals(frame.liveProperty().get())) {
      frame.liveProperty().set(live);
    }
    frame
        .clusterProperty()
        .set(snapshot == null || snapshot.info() == null ? "" : snapshot.info().cluster());
  }
}
