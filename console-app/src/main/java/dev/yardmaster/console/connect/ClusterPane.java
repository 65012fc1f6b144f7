package dev.yardmaster.console.connect;

import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.DisconnectedState;
import dev.yardmaster.console.kit.ErrorState;
import dev.yardmaster.console.kit.LoadingState;
import dev.yardmaster.console.kit.NextStep;
import dev.yardmaster.console.kit.StaleBanner;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.ConsoleContext;
import javafx.beans.InvalidationListener;
import javafx.beans.WeakInvalidationListener;
import javafx.scene.Node;
import javafx.scene.layout.BorderPane;
import org.jspecify.annotations.Nullable;

/**
 * Shows a view of a cluster, and what stands in for it while there is none: connecting, not
 * connected, or not able to connect. Old data stay visible below a banner that tells their age.
 */
public final class ClusterPane extends BorderPane {
  private final Texts texts;
  private final ConsoleContext context;
  private final ClusterModel cluster;
  private final Node content;
  private final InvalidationListener follow = o -> update();
  private Link.@Nullable Phase shownPhase;
  private String shownBanner = "";

  /** A pane that shows {@code content} once something is known of the cluster. */
  public ClusterPane(ConsoleContext context, ClusterModel cluster, Node content) {
    this.texts = context.texts();
    this.context = context;
    this.cluster = cluster;
    this.content = content;
    getStyleClass().add("cluster-pane");
    WeakInvalidationListener weak = new WeakInvalidationListener(follow);
    cluster.snapshotProperty().addListener(weak);
    cluster.linkProperty().addListener(weak);
    cluster.nowProperty().addListener(weak);
    update();
  }

  private void update() {
    Link link = cluster.link();
    if (cluster.snapshot() == null) {
      if (shownPhase != link.phase()) {
        shownPhase = link.phase();
        setTop(null);
        setCenter(standIn(link));
      }
      return;
    }
    shownPhase = null;
    if (getCenter() != content) {
      setCenter(content);
    }
    String banner = banner(link);
    if (!banner.equals(shownBanner)) {
      shownBanner = banner;
      Tone tone = link.phase() == Link.Phase.FAILED ? Tone.BLOCKED : Tone.ATTENTION;
      setTop(banner.isEmpty() ? null : new StaleBanner(banner, tone, tryNow()));
    }
  }

  private Node standIn(Link link) {
    String endpoint = link.endpoint();
    return switch (link.phase()) {
      case CONNECTING, LIVE, STALE ->
          new LoadingState(
              texts.get(ConnectText.CONNECTING_TITLE, endpoint),
              texts.get(ConnectText.CONNECTING_TEXT),
              tryNow(),
              texts);
      case DISCONNECTED ->
          new DisconnectedState(
              texts.get(ConnectText.DISCONNECTED_TITLE, endpoint),
              link.problem().isEmpty()
                  ? texts.get(ConnectText.DISCONNECTED_TEXT)
                  : link.problem() + "\n" + texts.get(ConnectText.DISCONNECTED_TEXT),
              tryNow());
      case FAILED ->
          new ErrorState(
              texts.get(ConnectText.FAILED_TITLE, endpoint),
              texts.get(ConnectText.FAILED_TEXT),
              link.problem(),
              tryNow());
    };
  }

  private String banner(Link link) {
    String age = context.formats().duration(cluster.age());
    return switch (link.phase()) {
      case CONNECTING, LIVE -> "";
      case STALE -> texts.get(ConnectText.BANNER_STALE, link.endpoint(), age);
      case DISCONNECTED ->
          texts.get(ConnectText.BANNER_DISCONNECTED, link.endpoint(), age, link.problem());
      case FAILED -> texts.get(ConnectText.BANNER_FAILED, link.endpoint(), age, link.problem());
    };
  }

  private NextStep tryNow() {
    return new NextStep(texts.get(ConnectText.TRY_NOW), cluster::reconnect);
  }
}
