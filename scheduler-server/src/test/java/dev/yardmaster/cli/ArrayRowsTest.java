package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Reason;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ArrayRowsTest {
  private final Job whole = whole();

  private static Job whole() {
    Lab lab = Lab.with().nodes("n1").build();
    Job job = lab.job(lab.submit(JobSpec.job("arr")));
    return job.with(
        j ->
            j.array(new ArrayInfo(job.id(), null, IndexSet.parse("5-6"), 3))
                .reason(Reason.JOB_ARRAY_TASK_LIMIT));
  }

  private Job task(int number, Reason reason) {
    return whole.with(
        j ->
            j.id(20 + number)
                .array(new ArrayInfo(whole.id(), number, IndexSet.EMPTY, 3))
                .reason(reason));
  }

  private static List<String> shown(Job... jobs) {
    List<JobFacts> rows =
        Stream.of(jobs).map(j -> new JobFacts(j, Instant.EPOCH, ZoneOffset.UTC)).toList();
    return ArrayRows.together(rows).stream().map(r -> r.id() + " " + r.reason()).toList();
  }

  @Test
  void waitingTasksOfTheirOwnJoinTheRowOfTheirArrayWithTheirReasons() {
    assertThat(
            shown(
                whole,
                task(7, Reason.JOB_HELD_ADMIN),
                task(8, Reason.JOB_HELD_ADMIN),
                task(2, Reason.JOB_ARRAY_TASK_LIMIT)))
        .containsExactly("1_[2,5-8] JobArrayTaskLimit,JobHeldAdmin");
  }

  @Test
  void tasksThatDifferInNameOrPartitionOrHaveNoArrayLeftStayApart() {
    Job renamed = task(7, Reason.PRIORITY).withName("other");
    Job moved = task(8, Reason.PRIORITY).withPartitions(List.of("else"));
    assertThat(shown(whole, renamed, moved))
        .containsExactly("1_[5-6%3] JobArrayTaskLimit", "1_7 Priority", "1_8 Priority");
    assertThat(shown(task(1, Reason.DEPENDENCY), task(2, Reason.DEPENDENCY)))
        .containsExactly("1_1 Dependency", "1_2 Dependency");
  }
}
