package dev.yardmaster.console.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.yardmaster.console.connect.ReasonLog;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.notice.Notice;
import dev.yardmaster.console.notice.Notices;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBuilder;
import dev.yardmaster.model.JobState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventLogTest {
  private final TestCluster cluster = TestCluster.sample();
  private final Notices notices = new Notices();
  private final EventLog log =
      new EventLog(
          cluster.model(),
          cluster.tasks(),
          TestCluster.terms("en"),
          new ReasonLog(),
          event ->
              notices.offer(
                  new Notice(
                      event.id(), event.time(), event.tone(), event.text(), event.target())));

  @AfterEach
  void close() {
    cluster.close();
  }

  private static List<Job> changed(int id, JobState state, long priority) {
    List<Job> jobs = new ArrayList<>(SampleJobs.all());
    jobs.replaceAll(
        job ->
            job.id() == id ? JobBuilder.builder(job).state(state).priority(priority).build() : job);
    return jobs;
  }

  private static int running() {
    return SampleJobs.all().stream()
        .filter(job -> job.state() == JobState.RUNNING)
        .findFirst()
        .orElseThrow()
        .id();
  }

  @Test
  void aPreemptedJobThatStaysInTheListGivesOneNoticeHoweverOftenItChanges() {
    for (int change = 0; change < 30; change++) {
      cluster.show(changed(running(), JobState.PREEMPTED, change));
    }

    assertThat(notices.shownProperty().get()).hasSize(1);
    assertThat(log.eventsProperty().get())
        .filteredOn(event -> event.id().equals("job/" + running() + "/ended"))
        .hasSize(1);
  }

  @Test
  void theLossOfTheConnectionAndItsReturnAreToldOnceEach() {
    cluster.lose("connection refused");
    cluster.lose("connection refused");
    cluster.show(SampleJobs.all());

    assertThat(log.eventsProperty().get())
        .extracting(ClusterEvent::text, ClusterEvent::tone)
        .containsExactly(
            tuple("Connected again", Tone.GOOD),
            tuple("The connection was lost: connection refused", Tone.BLOCKED));
  }

  @Test
  void onlyTheLastEventsAreKept() {
    for (int i = 0; i < 12; i++) {
      List<Job> jobs = new ArrayList<>(SampleJobs.all());
      for (int j = 0; j < 200; j++) {
        Job like = SampleJobs.all().getFirst();
        jobs.add(JobBuilder.builder(like).id(10_000 + i * 200 + j).array(null).build());
      }
      cluster.show(jobs);
    }

    assertThat(log.eventsProperty().get()).hasSize(EventLog.LIMIT);
  }
}
