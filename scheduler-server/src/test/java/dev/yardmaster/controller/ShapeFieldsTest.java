package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.SlurmError;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShapeFieldsTest {
  private final Bench bench = Bench.ready();

  private Job changed(int id, String... fields) {
    assertThat(bench.update(TestCluster.ROOT, id, fields)).isInstanceOf(Reply.Done.class);
    return bench.job(id);
  }

  @Test
  void aWaitingJobGetsAnotherShape() {
    int id = bench.submit("hold", "gpus=2");
    JobRequest request =
        changed(id, "reqsockets=1", "reqcores=4", "reqthreads=1", "taskspernode=3").request();
    assertThat(request.socketsPerNode()).isEqualTo(1);
    assertThat(request.coresPerSocket()).isEqualTo(4);
    assertThat(request.threadsPerCore()).isEqualTo(1);
    assertThat(request.tasksPerNode()).isEqualTo(3);
    assertThat(request.minCpusPerNode()).isEqualTo(3);
    request = changed(id, "cpuspertres=gres/gpu:2", "mempertres=gpu:4G").request();
    assertThat(request.cpusPerGpu()).isEqualTo(2);
    assertThat(request.memory()).isEqualTo(new MemoryRequest.PerGpu(4096));
    request = changed(id, "switches=1@5", "wait-for-switch=99999").request();
    assertThat(request.switchesWaitSeconds()).isEqualTo(300);
    request = changed(id, "spreadsegments=y").request();
    assertThat(request.spreadSegments()).isTrue();
    assertThat(changed(id, "spreadsegments=no").request().spreadSegments()).isFalse();
    assertThat(changed(id, "consolidatesegments=yes").request().consolidateSegments()).isTrue();
    assertThat(Objects.requireNonNull(changed(id, "prefer=fast").request().prefer()))
        .hasToString("fast");
    assertThat(changed(id, "prefer=").request().prefer()).isNull();
  }

  /** It says that it asked for a boot, which it can only where nothing boots a node. */
  @Test
  void aBootIsAskedForWhereNoProgramWouldDoIt() {
    int id = bench.submit("hold");
    assertThat(changed(id, "reboot=yes").batch().shown()).containsEntry("reboot", "1");
    assertThat(changed(id, "reboot=0").batch().shown()).doesNotContainKey("reboot");
    Bench boots = Bench.ready(Map.of("RebootProgram", "/sbin/reboot"));
    int other = boots.submit("hold");
    assertThat(Bench.error(boots.update(TestCluster.ROOT, other, "reboot=yes")))
        .isEqualTo(SlurmError.NOT_SUPPORTED);
    assertThat(Bench.error(bench.update(TestCluster.ROOT, id, "clusters=a")))
        .isEqualTo(SlurmError.UNSPECIFIED);
  }

  @Test
  void itsFilesAreChangedUntilItRuns() {
    int id = bench.submit("hold");
    Job job = changed(id, "stdout=o%j", "stderr=e%j", "stdin=/dev/zero");
    assertThat(job.batch().stdoutPattern()).isEqualTo("o%j");
    assertThat(job.batch().stderrPattern()).isEqualTo("e%j");
    assertThat(job.batch().stdinPattern()).isEqualTo("/dev/zero");
    int runs = bench.run("output=x");
    assertThat(bench.job(runs).state()).isEqualTo(JobState.RUNNING);
    assertThat(Bench.error(bench.update(TestCluster.ROOT, runs, "stdout=y")))
        .isEqualTo(SlurmError.JOB_NOT_PENDING);
    changed(runs, "stdout=x");
  }

  @Test
  void theEndOfARunningJobMovesItsLimit() {
    int id = bench.run("time=60");
    String sooner = "endtime=now+30minutes";
    assertThat(bench.update(TestCluster.ALICE, id, sooner)).isInstanceOf(Reply.Done.class);
    assertThat(bench.job(id).timeLimitMinutes()).isEqualTo(31);
    assertThat(Bench.error(bench.update(TestCluster.ALICE, id, "endtime=now+2hours")))
        .isEqualTo(SlurmError.ACCESS_DENIED);
    assertThat(changed(id, "endtime=now+2hours").timeLimitMinutes()).isEqualTo(121);
    int waits = bench.submit("hold");
    assertThat(Bench.error(bench.update(TestCluster.ROOT, waits, sooner)))
        .isEqualTo(SlurmError.JOB_NOT_RUNNING);
  }

  @ParameterizedTest
  @ValueSource(strings = {"taskspernode=2", "corespec=1", "reboot=yes"})
  void someAreForAdministrators(String field) {
    int id = bench.submit("hold");
    assertThat(Bench.error(bench.update(TestCluster.ALICE, id, field)))
        .isEqualTo(SlurmError.ACCESS_DENIED);
  }

  @Test
  void coresAreSetAsideWhereTheSiteLetsThem() {
    int id = bench.submit("hold");
    assertThat(Bench.error(bench.update(TestCluster.ROOT, id, "corespec=1")))
        .isEqualTo(SlurmError.ACCESS_DENIED);
    Bench lets = Bench.ready(Map.of("AllowSpecResourcesUsage", "yes"));
    int other = lets.submit("hold");
    lets.update(TestCluster.ROOT, other, "corespec=1");
    assertThat(lets.job(other).request().coreSpec()).isEqualTo(1);
    lets.update(TestCluster.ROOT, other, "corespec=*");
    assertThat(lets.job(other).request().coreSpec()).isZero();
  }
}
