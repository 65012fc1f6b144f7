package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.model.text.Dependency.Status;
import dev.yardmaster.model.text.Dependency.Term;
import dev.yardmaster.model.text.Dependency.Type;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DependencyTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "afterok:165337,afterok:165339|afterok:165337,afterok:165339|false",
        "afterok:1:2|afterok:1,afterok:2|false",
        "afterok:1:2,afterany:3|afterok:1,afterok:2,afterany:3|false",
        "afterok:20:21?afterany:23|afterok:20?afterok:21?afterany:23|true",
        "AFTEROK:1|afterok:1|false",
        "after:5|after:5|false",
        "after:5+10|after:5+10|false",
        "after:5+10:6|after:5+10,after:6|false",
        "afterok:1_*|afterok:1_*|false",
        "afterok:1_3|afterok:1_3|false",
        "aftercorr:8|aftercorr:8|false",
        "afterburstbuffer:8|afterburstbuffer:8|false",
        "afternotok:8|afternotok:8|false",
        "expand:8|expand:8|false",
        "singleton|singleton|false",
        "singleton,afterok:4|singleton,afterok:4|false",
        "123|afterany:123|false",
        "123,124|afterany:123,afterany:124|false",
        "after:8_*+1(unfulfilled)|after:8_*+1(unfulfilled)|false",
        "afternotok:2(failed)?afterok:3(failed)|afternotok:2(failed)?afterok:3(failed)|true",
        "singleton(unfulfilled)|singleton(unfulfilled)|false",
      })
  void readsEveryTypeAndBothJoints(String text, String printed, boolean any) {
    Dependency dependency = Dependency.parse(text);
    assertThat(dependency).hasToString(printed);
    assertThat(dependency.any()).isEqualTo(any);
    assertThat(Dependency.parse(printed)).isEqualTo(dependency);
  }

  @Test
  void emptyAndZeroAreNoDependency() {
    assertThat(Dependency.parse("")).isSameAs(Dependency.NONE).hasToString("");
    assertThat(Dependency.parse("0").isEmpty()).isTrue();
  }

  @Test
  void aTermKnowsItsTargetDelayAndStatus() {
    Term term = Dependency.parse("after:8_*+1(unfulfilled)").terms().getFirst();
    assertThat(term)
        .isEqualTo(new Term(Type.AFTER, JobId.of(8, JobId.ALL_TASKS), 1, Status.UNFULFILLED));
  }

  @ParameterizedTest
  @EnumSource
  void everyTypeHasSlurmsName(Type type) {
    String text = type == Type.SINGLETON ? "singleton" : type + ":7";
    assertThat(Dependency.parse(text).terms().getFirst().type()).isEqualTo(type);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "afterok:165337 ,afterok:165339|a space at column 15; write the whole list as one word"
            + " without spaces",
        "afterok:1,afterok:2?afterok:3|both \",\" and \"?\" at column 20; join all terms with \",\""
            + " (all) or with \"?\" (any)",
        "aftermaybe:1|unknown dependency type \"aftermaybe\" at column 1; use after, afterany,"
            + " afterburstbuffer, aftercorr, afternotok, afterok, expand or singleton",
        ":1|no dependency type at column 1; use after, afterany, afterburstbuffer, aftercorr,"
            + " afternotok, afterok, expand or singleton",
        "afterok|afterok without a job id at column 8; write afterok:123",
        "afterok:|expected a job id, found the end at column 9; write a whole number",
        "afterok:-1|expected a job id, found \"-\" at column 9; write a whole number",
        "afterok:0|job id 0 at column 9; use the id of a job",
        "afterok:1,|no dependency type at column 11; use after, afterany, afterburstbuffer,"
            + " aftercorr, afternotok, afterok, expand or singleton",
        "after:4+0|a delay of 0 minutes at column 8; leave +0 out",
        "after:4+x|expected minutes, found \"x\" at column 9; write a whole number",
        "afterok:4+5|afterok with a delay at column 10; only after takes +minutes",
        "singleton:4|singleton takes no job id at column 10; write singleton",
        "afterok:4(maybe)|unknown status at column 10; leave it out",
        "afterok:4(failed|unknown status at column 10; leave it out",
        "afterok:4.0|unexpected \".\" at column 10; write type:id[:id][,type:id] or"
            + " type:id?type:id",
        "afterok:4_|expected a task number, found the end at column 11; write a whole number",
      })
  void refusesWithTheColumn(String text, String message) {
    assertThatThrownBy(() -> Dependency.parse(text))
        .isInstanceOf(NotationException.class)
        .hasMessage("dependency \"" + text + "\": " + message);
  }

  @Property(tries = 500)
  void everyDependencyReadsBack(@ForAll boolean any, @ForAll("terms") List<Term> terms) {
    var dependency = new Dependency(any, terms);
    assertThat(Dependency.parse(dependency.toString())).isEqualTo(dependency);
  }

  @Provide
  Arbitrary<List<Term>> terms() {
    return Combinators.combine(
            Arbitraries.of(Type.class),
            Arbitraries.longs().between(1, JobId.MAX_JOB),
            Arbitraries.integers().between(JobId.ALL_TASKS, 99),
            Arbitraries.integers().between(0, 90),
            Arbitraries.of(Status.class).injectNull(0.5))
        .as(
            (type, job, task, delay, status) ->
                new Term(
                    type,
                    type == Type.SINGLETON ? null : JobId.of(job, task),
                    type == Type.AFTER ? delay : 0,
                    status))
        .list()
        .ofMaxSize(5);
  }
}
