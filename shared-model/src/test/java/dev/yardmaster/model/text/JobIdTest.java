package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobIdTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "123",
        "123_4",
        "123_*",
        "123_[4-9%2]",
        "56502501_[1%1]",
        "7_[60-89,91-94,96-98]",
        "123+1",
        "1234+1.0",
        "123.batch",
        "123.extern",
        "123.interactive",
        "123.0",
        "123_4.extern",
        "123_4+0",
        "123_4.17",
        "123.0+1",
        "4294967295",
        "13_[8,12,16,20%2]",
      })
  void readsAndPrintsEveryForm(String text) {
    assertThat(JobId.parse(text)).hasToString(text);
  }

  @Test
  void knowsItsParts() {
    JobId id = JobId.parse("123_4.extern");
    assertThat(id.job()).isEqualTo(123);
    assertThat(id.task()).isEqualTo(4);
    assertThat(id.isArrayTask()).isTrue();
    assertThat(id.step()).isEqualTo("extern");
    assertThat(id.withoutStep()).isEqualTo(JobId.of(123, 4));
    assertThat(JobId.parse("123").task()).isEqualTo(JobId.NO_TASK);
    assertThat(JobId.parse("123_*").task()).isEqualTo(JobId.ALL_TASKS);
    assertThat(JobId.parse("1234+1").het()).isEqualTo(1);
    ArraySpec tasks = JobId.parse("123_[4-9%2]").tasks();
    assertThat(tasks).isEqualTo(ArraySpec.parse("4-9%2"));
    assertThat(JobId.parse("123_[1-3,...]").tasks()).isEqualTo(ArraySpec.parse("1-3"));
    assertThat(JobId.of(5).withStep("batch")).hasToString("5.batch");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "|expected a job number, found the end at column 1; write a whole number",
        "abc|expected a job number, found \"a\" at column 1; write a whole number",
        "-1|expected a job number, found \"-\" at column 1; write a whole number",
        "123_|expected a task number, found the end at column 5; write a whole number",
        "123_[4-9|unmatched \"[\" at column 5; close it with \"]\"",
        "123_[9-4]|range 9-4 runs backwards at column 6; write 4-9",
        "123_[]|no task at column 6; write tasks as 0-9 or 1,3,7",
        "123+|expected a component number, found the end at column 5; write a whole number",
        "123.|not a step at column 5; write a number, batch, extern or interactive",
        "123.b@d|not a step at column 5; write a number, batch, extern or interactive",
        "123x|unexpected \"x\" at column 4; write 123, 123_4, 123_[4-9], 123+1 or" + " 123.batch",
        "123 |unexpected \" \" at column 4; write 123, 123_4, 123_[4-9], 123+1 or" + " 123.batch",
        "4294967296|a job number 4294967296 is too large at column 1; use at most 4294967295",
      },
      ignoreLeadingAndTrailingWhitespace = false)
  void refusesWithTheColumn(String text, String message) {
    String input = text == null ? "" : text;
    assertThatThrownBy(() -> JobId.parse(input))
        .isInstanceOf(NotationException.class)
        .hasMessage("job id \"" + input + "\": " + message);
  }

  @Test
  void sortsByNumberThenTaskThenStep() {
    var ids = new ArrayList<JobId>();
    for (String text : List.of("10", "9.10", "9_2", "9.9", "9_10", "9.batch", "9")) {
      ids.add(JobId.parse(text));
    }
    ids.sort(null);
    assertThat(ids.stream().map(JobId::toString))
        .containsExactly("9", "9.9", "9.10", "9.batch", "9_2", "9_10", "10");
  }

  @Property(tries = 500)
  void everyIdReadsBack(@ForAll("ids") JobId id) {
    assertThat(JobId.parse(id.toString())).isEqualTo(id);
    assertThat(id.compareTo(JobId.parse(id.toString()))).isZero();
  }

  @Provide
  Arbitrary<JobId> ids() {
    Arbitrary<Long> jobs = Arbitraries.longs().between(0, JobId.MAX_JOB);
    Arbitrary<Integer> tasks = Arbitraries.integers().between(JobId.ALL_TASKS, ArraySpec.MAX_TASK);
    Arbitrary<@Nullable ArraySpec> arrays =
        Arbitraries.of("1", "1-9%2", "3,5,9", "0-20:2").map(ArraySpec::parse).injectNull(0.5);
    Arbitrary<Integer> hets = Arbitraries.integers().between(-1, 40);
    Arbitrary<@Nullable String> steps =
        Arbitraries.of("0", "17", "batch", "extern", "3+1").injectNull(0.5);
    return Combinators.combine(jobs, tasks, arrays, hets, steps)
        .as(
            (job, task, array, het, step) ->
                new JobId(job, array == null ? task : JobId.NO_TASK, array, het, step));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Submitted batch job 8653762 on cluster name_x|8653762|name_x",
        "Submitted batch job 7787202|7787202|''",
        "8653762;name_x|8653762|name_x",
        "7787202|7787202|''",
      })
  void findsTheIdInWhatSbatchSaid(String output, String id, String cluster) {
    SubmitText said = SubmitText.parse(output);
    assertThat(said.job()).isEqualTo(JobId.parse(id));
    assertThat(said.cluster()).isEqualTo(cluster);
    assertThat(said.toString().equals(output) || said.parsable().equals(output)).isTrue();
    assertThat(SubmitText.parse(said.toString())).isEqualTo(said);
    assertThat(SubmitText.parse(said.parsable())).isEqualTo(said);
  }

  @Test
  void findsTheIdBehindNotices() {
    String output = "NOTE: quota 12; see 2024\n12 files moved\nSubmitted batch job 7787202\n\n";
    assertThat(SubmitText.parse(output)).isEqualTo(new SubmitText(JobId.of(7787202), ""));
    assertThatThrownBy(() -> SubmitText.parse("sbatch: error: no\n"))
        .isInstanceOf(NotationException.class)
        .hasMessageContaining("no job id");
  }
}
