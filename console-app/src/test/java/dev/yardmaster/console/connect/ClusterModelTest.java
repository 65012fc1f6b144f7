package dev.yardmaster.console.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClusterModelTest {
  @Test
  void itConnectsFirstAndKnowsNothing() {
    try (TestCluster cluster = new TestCluster()) {
      assertThat(cluster.model().link().phase()).isEqualTo(Link.Phase.CONNECTING);
      assertThat(cluster.model().snapshot()).isNull();
    }
  }

  @Test
  void dataMakeItLive() {
    try (TestCluster cluster = TestCluster.sample()) {
      assertThat(cluster.model().link().phase()).isEqualTo(Link.Phase.LIVE);
      assertThat(cluster.model().age()).isZero();
    }
  }

  @Test
  void aFastClusterIsShownAtMostTenTimesASecond() {
    try (TestCluster cluster = TestCluster.sample()) {
      AtomicInteger shown = new AtomicInteger();
      cluster.model().snapshotProperty().addListener((o, was, now) -> shown.incrementAndGet());
      ClusterView view = SampleCluster.view();
      long start = System.nanoTime();
      for (int i = 0; i < 2_000; i++) {
        cluster.feed().push(view);
      }
      cluster.show(SampleJobs.all());
      double tenths = (System.nanoTime() - start) / 1e8;

      assertThat(shown.get()).isLessThanOrEqualTo((int) tenths + 2);
    }
  }

  @Test
  void silenceMakesDataStaleAndTheyStayVisible() {
    try (TestCluster cluster = TestCluster.sample()) {
      cluster.pass(ClusterModel.STALE_AFTER.plusSeconds(1));

      assertThat(cluster.model().link().phase()).isEqualTo(Link.Phase.STALE);
      assertThat(cluster.model().age()).isEqualTo(ClusterModel.STALE_AFTER.plusSeconds(1));
      assertThat(cluster.model().snapshot()).isNotNull();

      cluster.show(SampleJobs.all());
      assertThat(cluster.model().link().phase()).isEqualTo(Link.Phase.LIVE);
    }
  }

  @Test
  void aLostConnectionKeepsWhatIsKnownAndSaysWhy() {
    try (TestCluster cluster = TestCluster.sample()) {
      cluster.lose("connection refused");

      assertThat(cluster.model().link().problem()).isEqualTo("connection refused");
      assertThat(cluster.model().snapshot()).isNotNull();

      cluster.model().reconnect();
      cluster.pass(Duration.ofSeconds(1));
      assertThat(cluster.feed().reconnects()).isEqualTo(1);
    }
  }

  @Test
  void aServerThatNeverAnswersHoldsUpNobodyElse() {
    Connector silent =
        new Connector() {
          @Override
          public String endpoint() {
            return "silent:6817";
          }

          @Override
          public Session connect() throws ClientException {
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              throw new ClientException.Unreachable("gave up", e);
            }
            throw new IllegalStateException();
          }
        };
    try (ClusterModel hanging = new ClusterModel(silent, () -> Instant.EPOCH, Runnable::run);
        TestCluster good = TestCluster.sample()) {
      hanging.open();
      good.show(SampleJobs.all());

      assertThat(hanging.link().phase()).isEqualTo(Link.Phase.CONNECTING);
      assertThat(good.model().link().phase()).isEqualTo(Link.Phase.LIVE);
    }
  }

  @Test
  void aConnectionThatCannotBeMadeSaysWhatIsInTheWay() throws InterruptedException {
    CountDownLatch failed = new CountDownLatch(1);
    Connector wrong =
        new Connector() {
          @Override
          public String endpoint() {
            return "ctl01:6817";
          }

          @Override
          public Session connect() throws ClientException {
            throw new ClientException.NotConfigured("token file /x cannot be read");
          }
        };
    try (ClusterModel model = new ClusterModel(wrong, () -> Instant.EPOCH, Runnable::run)) {
      model
          .linkProperty()
          .addListener(
              (o, was, now) -> {
                if (now.phase() == Link.Phase.FAILED) {
                  failed.countDown();
                }
              });
      model.open();
      failed.await();

      assertThat(model.link().problem()).isEqualTo("token file /x cannot be read");
    }
  }

  @Test
  void waitingTimeIsRightWhateverTheLocalClockSays() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.pass(Duration.ofHours(10));
      Job job = SampleJobs.pend(1, "new", "nlp", 1, 1, 1, Reason.PRIORITY, 10, 0);
      cluster.show(List.of(job));

      assertThat(Terms.elapsed(job, cluster.model().now())).isLessThan(Duration.ofSeconds(5));
    }
  }

  @Test
  void whatIsDeletedIsGoneFromEveryCountAtOnce() {
    try (TestCluster cluster = TestCluster.sample()) {
      cluster.show(List.of());
      Snapshot snapshot = cluster.model().snapshot();

      assertThat(snapshot).isNotNull();
      if (snapshot != null) {
        assertThat(snapshot.tasks(JobState.PENDING)).isZero();
        assertThat(snapshot.gpus().allocated()).isZero();
        assertThat(snapshot.jobs()).isEmpty();
      }
    }
  }
}
