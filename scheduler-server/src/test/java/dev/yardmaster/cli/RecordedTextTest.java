package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.Job;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a real Slurm printed is what we print of the same jobs. */
class RecordedTextTest {
  /** Lines and words that say something this version does not know or does not decide. */
  private static String comparable(String record) {
    return record
        .replaceAll("\n   SLUID=.*", "")
        .replaceAll("\n   HetJobIdSet=.*", "")
        .replaceAll("\n   PreemptEligibleTime=.*", "")
        .replaceAll("\n   TresBind=.*", "")
        .replaceAll("\n   GresEnforceBind=.*", "")
        .replaceAll("\n   GresOneTaskPerSharing=.*", "")
        .replaceAll("\n   KillOnInvalidDependent=.*", "")
        .replaceAll("\n   TresPerTask=.*", "")
        .replaceAll("\n   ClusterFeatures=.*", "")
        .replaceAll("\n   AccrueTime=.*", "")
        .replaceAll(" Scheduler=\\S*", "")
        .replaceAll("( LicensesAlloc|SuspendTime|SecsPreSuspend|Nice|EligibleTime)=\\S*", "")
        .replaceAll("ReqTRES=.*", "ReqTRES")
        .replaceAll(" (ReqB:S:C:T|NumTasks|CPUs/Task|NumCPUs)=\\S*", "")
        .replaceAll("OverSubscribe=OK", "OverSubscribe=NO")
        .replaceAll("( EndTime|RunTime)=\\S*", "");
  }

  private static final ClusterInfo INFO =
      new ClusterInfo(
          "lab",
          "test",
          "26.11.0",
          "primary",
          "vm",
          Instant.EPOCH,
          Instant.EPOCH,
          "",
          ZoneOffset.UTC,
          false,
          List.of("gres/gpu", "gres/gpu:h100", "gres/gpu:a100", "gres/shard", "license/lic1"));

  @Test
  void scontrolShowJob() {
    TresText tres = new TresText(view());
    int jobs = 0;
    List<String> wrong = new ArrayList<>();
    for (Path snapshot : GoldenFiles.snapshots()) {
      Instant now =
          Instant.ofEpochSecond(
              Long.parseLong(GoldenFiles.read(snapshot.resolve("now.txt")).strip()));
      for (String record : GoldenFiles.read(snapshot.resolve("scontrol_jobs.txt")).split("\n\n")) {
        if (!record.startsWith("JobId=") || record.contains("Größe")) {
          continue;
        }
        if (!record.split("\n")[1].contains("SLUID=")) {
          // A job name of several lines.
          continue;
        }
        Job job = RecordedJobs.read(record.replaceAll("^\n*", ""));
        String ours = new JobText(tres, false, true).of(new JobFacts(job, now, ZoneOffset.UTC));
        jobs++;
        if (!comparable(ours).equals(comparable(record))) {
          wrong.add(
              snapshot + "\n--- Slurm\n" + comparable(record) + "\n--- here\n" + comparable(ours));
        }
      }
    }
    System.out.println("TOTAL " + jobs + " wrong " + wrong.size());
    wrong.stream().limit(8).forEach(System.out::println);
    assertThat(wrong).isEmpty();
    assertThat(jobs).isGreaterThan(2000);
  }

  private static ClusterView view() {
    ClusterView empty = ClusterView.EMPTY;
    return new ClusterView(
        INFO,
        empty.jobs(),
        empty.nodes(),
        empty.partitions(),
        empty.reservations(),
        empty.figures(),
        0,
        null,
        null,
        empty.connection());
  }
}
