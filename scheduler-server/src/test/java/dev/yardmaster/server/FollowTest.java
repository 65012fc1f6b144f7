package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.ClusterFeed;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.Connection;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultClusterFeed;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.client.Selection;
import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.security.Authenticator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Following a cluster over a real connection. */
class FollowTest {
  private static final Credential ALICE = new Credential("alice", 1001, "users", 100, null);

  private final Lab lab = Lab.sixNodes();
  private final BlockingQueue<ClusterView> views = new LinkedBlockingQueue<>();
  private ScriptedController controller = new ScriptedController(lab.state());
  private TestServer server;
  private ClusterFeed feed;

  @BeforeEach
  void serve() throws IOException {
    lab.submit(JobSpec.job("first").nodes(4));
    controller = new ScriptedController(lab.state());
    server = TestServer.of(controller, Authenticator.none());
    feed = DefaultClusterFeed.follow(server.endpoint(), ALICE);
    feed.listen(views::add);
  }

  @AfterEach
  void stop() {
    feed.close();
    server.close();
  }

  private ClusterView await(Predicate<ClusterView> wanted) throws InterruptedException {
    while (true) {
      ClusterView view = views.poll(20, TimeUnit.SECONDS);
      assertThat(view).as("no such view came").isNotNull();
      if (wanted.test(view)) {
        return view;
      }
    }
  }

  @Test
  void theFirstViewIsWhatTheControllerHas() throws InterruptedException {
    ClusterView view = await(ClusterView::isLive);
    assertThat(view.jobs()).isEqualTo(lab.state().jobs());
    assertThat(view.nodes()).hasSize(6);
    assertThat(view.info()).isNotNull();
    assertThat(view.asOf()).isNotNull();
  }

  @Test
  void changesArriveAndWhatIsGoneLeaves() throws InterruptedException {
    await(ClusterView::isLive);
    int second = lab.submit(JobSpec.job("second").nodes(1));
    controller.happen(new Event.JobSubmitted(lab.now(), lab.job(second)));
    ClusterView with = await(view -> view.job(second) != null);
    assertThat(with.job(second)).isEqualTo(lab.job(second));
    controller.happen(new Event.JobPurged(lab.now(), second));
    ClusterView without = await(view -> view.job(second) == null);
    assertThat(without.jobs()).containsOnlyKeys(1);
    assertThat(without.sequence()).isGreaterThan(with.sequence());
  }

  @Test
  void nodesKeepTheirPlaceInTheConfiguration() throws InterruptedException {
    await(ClusterView::isLive);
    var status = lab.state().nodesInOrder().get(2).status();
    controller.happen(
        new Event.NodeChanged(
            lab.now(), "n3", status.withFlags(EnumSet.of(NodeFlag.DRAIN)), "root"));
    ClusterView view =
        await(v -> v.nodes().get("n3") != null && v.nodes().get("n3").status().has(NodeFlag.DRAIN));
    assertThat(view.nodes().keySet()).containsExactly("n1", "n2", "n3", "n4", "n5", "n6");
  }

  @Test
  void aNewConfigurationReplacesEverything() throws InterruptedException {
    await(ClusterView::isLive);
    var config = lab.state().config();
    controller.happen(
        new Event.ConfigApplied(
            lab.now(), config.withNodes(List.copyOf(config.nodes().subList(0, 2)))));
    ClusterView view = await(v -> v.nodes().size() == 2);
    assertThat(view.nodes().keySet()).containsExactly("n1", "n2");
    assertThat(view.jobs()).hasSize(1);
  }

  @Test
  void aFloodOfChangesIsTenViewsASecond() throws InterruptedException {
    await(ClusterView::isLive);
    Job job = lab.job(1);
    long began = System.nanoTime();
    int last = 400;
    for (int i = 1; i <= last; i++) {
      int nice = i;
      controller.happen(new Event.JobEdited(lab.now(), job.withNice(nice), "root", "nice"));
      TimeUnit.MILLISECONDS.sleep(2);
    }
    int seen = 0;
    for (ClusterView view = await(v -> true); ; view = await(v -> true)) {
      seen++;
      Job shown = view.job(1);
      if (shown != null && shown.nice() == last) {
        break;
      }
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    assertThat(seen).isLessThanOrEqualTo((int) Math.ceil(seconds * 10) + 3);
  }

  @Test
  void aLostControllerLeavesTheOldViewMarked() throws InterruptedException {
    ClusterView live = await(ClusterView::isLive);
    server.close();
    ClusterView lost = await(view -> view.connection() instanceof Connection.Lost);
    assertThat(lost.jobs()).isEqualTo(live.jobs());
    assertThat(lost.asOf()).isNotNull();
    Connection.Lost connection = (Connection.Lost) lost.connection();
    assertThat(connection.cause()).contains("127.0.0.1:");
    assertThat(connection.nextAttempt()).isAfter(connection.since());
  }

  @Test
  void theFeedConnectsAgainByItself() throws InterruptedException, IOException {
    await(ClusterView::isLive);
    Endpoint endpoint = server.endpoint();
    server.close();
    await(view -> view.connection() instanceof Connection.Lost);
    lab.submit(JobSpec.job("later").nodes(1));
    ScriptedController next = new ScriptedController(lab.state());
    server = TestServer.on(endpoint.port(), next);
    ClusterView again = await(ClusterView::isLive);
    assertThat(again.jobs()).isEqualTo(lab.state().jobs());
  }

  @Test
  void aServerThatAcceptsAndIsSilentIsLost() throws IOException, InterruptedException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        ClusterFeed waiting =
            DefaultClusterFeed.follow(
                new Endpoint("127.0.0.1", silent.getLocalPort()),
                ALICE,
                Selection.ALL,
                Duration.ofSeconds(1))) {
      BlockingQueue<ClusterView> seen = new LinkedBlockingQueue<>();
      waiting.listen(seen::add);
      ClusterView view = seen.poll(10, TimeUnit.SECONDS);
      while (view != null && !(view.connection() instanceof Connection.Lost)) {
        view = seen.poll(10, TimeUnit.SECONDS);
      }
      assertThat(view).isNotNull();
      assertThat(((Connection.Lost) view.connection()).cause()).contains("silent");
      assertThat(view.jobs()).isEmpty();
    }
  }

  @Test
  void closingEndsTheSubscription() throws InterruptedException {
    await(ClusterView::isLive);
    assertThat(controller.followers()).isEqualTo(1);
    feed.close();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (controller.followers() > 0 && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    assertThat(controller.followers()).isZero();
    assertThat(feed.view().connection()).isInstanceOf(Connection.Closed.class);
  }
}
