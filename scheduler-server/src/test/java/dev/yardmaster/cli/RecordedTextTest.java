package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.Job;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a real Slurm printed is what we print of the same jobs. */
class RecordedTextTest {
  /** What this version does not know, or what the record of a job does not tell. */
  private static final List<Pattern> LEFT_OUT =
      Stream.of(
              "\n   (SLUID|HetJobIdSet|PreemptEligibleTime|TresBind|GresEnforceBind"
                  + "|GresOneTaskPerSharing|KillOnInvalidDependent|TresPerTask|ClusterFeatures"
                  + "|AccrueTime|JOB_GRES)=.*",
              " Scheduler=\\S*",
              " FailedNode=\\S*",
              "(LicensesAlloc|SuspendTime|SecsPreSuspend|EligibleTime|AllocNode:Sid)=\\S*",
              "(ReqB:S:C:T|NumTasks|CPUs/Task|NumCPUs|MinCPUsNode|EndTime|RunTime)=\\S*",
              "(?<=ReqTRES=).*",
              "(?<=StartTime=Unknown[^~]{1,1500}) SchedNodeList=\\S*",
              "[(]IDX:[)]",
              " SpreadSegments=Yes",
              "(?<=JobState=CANCELLED[^~]{1,500})StartTime=\\S*")
          .map(Pattern::compile)
          .toList();

  private static final ClusterInfo INFO =
      new ClusterInfo(
          "lab",
          "test",
          "26.11.0-0rc1",
          "primary",
          "vm",
          Instant.EPOCH,
          Instant.EPOCH,
          "",
          ZoneOffset.UTC,
          false,
          List.of(
              "gres/gpu",
              "gres/gpu:h100",
              "gres/gpu:a100",
              "gres/gpu:1g.10gb",
              "gres/gpu:3g.40gb",
              "gres/shard",
              "license/lic1"),
          Set.of());

  private int unread;

  @Test
  void scontrolShowJob() {
    TresText tres = new TresText(view());
    int jobs = 0;
    List<String> wrong = new ArrayList<>();
    for (Path snapshot : GoldenFiles.snapshots()) {
      for (Map.Entry<String, Job> entry : jobs(snapshot).entrySet()) {
        JobFacts facts = new JobFacts(entry.getValue(), now(snapshot), ZoneOffset.UTC);
        String ours = new JobText(tres, false, true).of(facts);
        jobs++;
        differences(snapshot, comparable(entry.getKey()), comparable(ours), wrong);
      }
    }
    assertThat(wrong).as("%d records, %d could not be read", jobs, unread).isEmpty();
    assertThat(jobs).isGreaterThan(2000);
    assertThat(unread).isLessThan(20);
  }

  @Test
  void squeue() throws CommandFailure {
    String fields =
        "JobArrayID:16,JobID:10,Partition:12,Name:16,UserName:10,Account:10,QOS:12,StateCompact:4,"
            + "TimeUsed:10,TimeLimit:12,NumNodes:6,NumCPUs:6,MinMemory:8,tres-alloc:60,"
            + "PriorityLong:12,StartTime:20,SchedNodes:20,Reason:44,NodeList:24,ReasonList:60";
    Layout<JobFacts> layout =
        Formats.names(
            fields,
            new JobColumns(new TresText(view()), job -> 0, false, false).names(),
            new ArrayList<>());
    List<String> wrong = new ArrayList<>();
    int rows = 0;
    for (Path snapshot : GoldenFiles.snapshots()) {
      Map<String, JobFacts> byId = new HashMap<>();
      for (Job job : jobs(snapshot).values()) {
        byId.put(Integer.toString(job.id()), new JobFacts(job, now(snapshot), ZoneOffset.UTC));
      }
      for (String line : GoldenFiles.read(snapshot.resolve("squeue.txt")).split("\n")) {
        JobFacts facts = line.length() < 60 ? null : byId.get(line.substring(16, 26).strip());
        if (facts != null) {
          rows++;
          String ours = layout.line(facts).stripTrailing();
          // The two listings were made one after the other: a job may have moved on.
          boolean same = line.startsWith(facts.state().code(), 86);
          if (same && line.chars().allMatch(c -> c < 0x80)) {
            differences(snapshot, comparableRow(line), comparableRow(ours), wrong);
          }
        }
      }
    }
    // One job was given another node count between the two listings.
    assertThat(wrong).as("%d rows", rows).hasSizeLessThan(2);
    assertThat(rows).isGreaterThan(500);
  }

  /** Without the time, and without what only the controller's estimate of CPUs tells. */
  private static String comparableRow(String line) {
    return line.substring(0, 90) + line.substring(100, 118) + line.substring(192);
  }

  private Map<String, Job> jobs(Path snapshot) {
    Map<String, Job> jobs = new LinkedHashMap<>();
    String text =
        GoldenFiles.read(snapshot.resolve("scontrol_jobs.txt"))
            .replaceAll("@(LAB|OUT)@|[$]GOLDEN", "/x")
            .replaceAll("\n +TresPerNode=gres/\n", "\n")
            .replaceAll("QOS=\n", "QOS=(null)\n")
            .replaceAll("(TresPer\\w+=gres/[a-z]+)\n", "$1:1\n");
    for (String record : text.split("\n\n")) {
      String[] lines = record.split("\n");
      boolean wholeName = lines.length > 1 && lines[1].contains("SLUID=");
      // Licences of which any will do, and shards by GPU, are not known yet.
      if (!wholeName
          || record.contains("GRES=shard:")
          || record.matches("(?s).* Licenses=\\S*[|].*")) {
        continue;
      }
      try {
        jobs.put(record, RecordedJobs.read(record));
      } catch (RuntimeException e) {
        // A value that only Slurm lets pass, such as --gpus=abc.
        unread++;
      }
    }
    return jobs;
  }

  private static Instant now(Path snapshot) {
    return Instant.ofEpochSecond(
        Long.parseLong(GoldenFiles.read(snapshot.resolve("now.txt")).strip()));
  }

  private static String comparable(String record) {
    String text =
        record
            .replace("OverSubscribe=OK", "OverSubscribe=NO")
            .replace("BatchFlag=2", "BatchFlag=1")
            .replace("NumNodes=0", "NumNodes=1");
    // Slurm keeps plans of jobs that no longer wait, and allocations of those that wait again.
    text = text.contains("JobState=PENDING") ? text : text.replaceAll(" SchedNodeList=.*", "");
    text = text.contains("BatchHost=") ? text : text.replaceAll("AllocTRES=.*", "");
    for (Pattern pattern : LEFT_OUT) {
      text = pattern.matcher(text).replaceAll("");
    }
    return text;
  }

  /** Adds the lines that are not the same. */
  private static void differences(Path where, String theirs, String ours, List<String> wrong) {
    if (theirs.equals(ours)) {
      return;
    }
    String[] a = theirs.split("\n");
    String[] b = ours.split("\n");
    for (int i = 0; i < Math.max(a.length, b.length); i++) {
      String left = i < a.length ? a[i] : "";
      String right = i < b.length ? b[i] : "";
      if (!left.equals(right)) {
        wrong.add(where + " " + a[0] + "\n  Slurm: " + left + "\n  here:  " + right);
        return;
      }
    }
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
