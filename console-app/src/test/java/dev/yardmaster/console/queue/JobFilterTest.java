package dev.yardmaster.console.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import java.util.List;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobFilterTest {
  private final Terms terms = TestCluster.terms("en");

  private List<String> passing(String filter) throws FilterException {
    Predicate<Job> test = JobFilter.parse(filter, terms);
    return SampleJobs.all().stream().filter(test).map(Job::displayId).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "user:user18|4722 4723",
        "USER=User18|4722 4723",
        "account:nlp state:PD gpus>=16|4711 4630 4718",
        "account:bio,chem state:PD|4713 4714 4715 4721 4725 4726",
        "state:pending name:cryo*|4713 4714",
        "gpus>100|4630",
        "gpus=0 state:PD|4727",
        "nodes>=8 state:PD|4630 4719",
        "-account:nlp -account:bio -account:chem state:PD|4702_[4-63%4] 4716 4717 4719 4720 4724",
        "reason:QOSMaxGRESPerUser|4722 4723",
        "reason:\"higher priority\" account:bio|4713 4714",
        "node:node045|",
        "node:node047|4620",
        "id:4702|4702_0 4702_1 4702_2 4702_3 4702_[4-63%4]",
        "part:train state:OOM|4602",
        "qwen|4711",
        "held|4720",
        "user!=user18 name:rl|",
        "priority>7000|4711 4630"
      })
  void fieldsAndWordsSelectJobs(String filter, String ids) throws FilterException {
    List<String> expected = ids == null ? List.of() : List.of(ids.split(" "));

    assertThat(passing(filter)).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void anEmptyFilterLetsEverythingThrough() throws FilterException {
    assertThat(passing("  ")).hasSize(SampleJobs.all().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "colour:blue|The filter knows no field “colour”. It knows: id, name,",
        "gpus>many|“many” is no number; write for example gpus>4.",
        "user>4|“user” is text and has no greater or smaller; write for example user:alice.",
        "state:XX|“XX” is no state of a job. States are PD R S",
        "user:|“user” has no value; write for example user:alice."
      })
  void whatIsNotUnderstoodIsNamedWithWhatWouldBeRight(String filter, String message) {
    assertThatThrownBy(() -> JobFilter.parse(filter, terms))
        .isInstanceOfSatisfying(
            FilterException.class, e -> assertThat(e.text(terms.texts())).startsWith(message));
  }

  @Property
  void noTextBreaksIt(@ForAll String text) {
    try {
      Predicate<Job> test = JobFilter.parse(text, terms);
      assertThat(SampleJobs.all().stream().filter(test).count()).isNotNegative();
    } catch (FilterException e) {
      assertThat(e.text(terms.texts())).isNotBlank();
    }
  }
}
