package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records, words, delimited tables, marks of sinfo and limits of texts. */
class KeyValueTextTest {

  @Test
  void theFirstEqualsSplitsAndAWordWithoutOneContinuesTheValue() {
    SequencedMap<String, String> record =
        KeyValueText.record(
            "JobId=7 JobName=my job  name\n"
                + "   Comment=key=something=blah Reason=Not responding [root@2026-01-01]\n"
                + "   S:C:T=0:0:*:* Gres= CPUs/Task=2");
    assertThat(record)
        .containsExactly(
            Map.entry("JobId", "7"),
            Map.entry("JobName", "my job  name"),
            Map.entry("Comment", "key=something=blah"),
            Map.entry("Reason", "Not responding [root@2026-01-01]"),
            Map.entry("S:C:T", "0:0:*:*"),
            Map.entry("Gres", ""),
            Map.entry("CPUs/Task", "2"));
  }

  @Test
  void wordsBeforeTheFirstKeyAreDropped() {
    assertThat(KeyValueText.record("slurm_load_jobs note JobId=1"))
        .containsExactly(Map.entry("JobId", "1"));
    assertThat(KeyValueText.record("no key here")).isEmpty();
    assertThat(KeyValueText.record("")).isEmpty();
    assertThat(KeyValueText.record("=x A=1 $x=2")).containsExactly(Map.entry("A", "1 $x=2"));
  }

  @Test
  void recordsBeginWithTheFirstKeyOrAfterABlankLine() {
    String text =
        "NodeName=a Arch=x\n"
            + "   State=IDLE\n\n"
            + "NodeName=b\n"
            + "   State=DOWN\n"
            + "NodeName=c State=IDLE\n\n\n";
    assertThat(KeyValueText.records(text))
        .extracting(r -> r.get("NodeName") + r.get("State"))
        .containsExactly("aIDLE", "bDOWN", "cIDLE");
    assertThat(KeyValueText.records("\n\n")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "#SBATCH -o \"test output\"|-o^test output",
        "#SBATCH -o 'test output'|-o^test output",
        "#SBATCH -o test\\ output|-o^test output",
        "#SBATCH --job-name=\"a b\"c|--job-name=a bc",
        "#SBATCH --constraint=\"gpu&(rack1,rack2)\"|--constraint=gpu&(rack1,rack2)",
        "#SBATCH -n 4 # four tasks|-n^4",
        "#SBATCH --comment=a#b|--comment=a#b",
        "#SBATCH --comment=\"# no comment\"|--comment=# no comment",
        "#SBATCH --gres=\"\"|--gres=",
        "#SBATCH --gres=|--gres=",
        "#SBATCH ''|",
        "#SBATCH -J \"say \\\"hi\\\" \\n\"|-J^say \"hi\" \\n",
        "#SBATCH\t-N2|-N2",
      })
  void directivesKeepQuotedWordsWhole(String line, String words) {
    assertThat(KeyValueText.sbatch(line).orElseThrow())
        .isEqualTo(words == null ? List.of("") : List.of(words.split("\\^")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"##SBATCH -n1", " #SBATCH -n1", "#SBATCHX -n1", "echo hi", "#sbatch -n1", ""})
  void otherLinesAreNoDirectives(String line) {
    assertThat(KeyValueText.sbatch(line)).isEmpty();
  }

  @Test
  void aBareDirectiveHasNoOptions() {
    assertThat(KeyValueText.sbatch("#SBATCH")).contains(List.of());
  }

  @Test
  void anOpenQuoteIsAnErrorWithItsColumn() {
    assertThatThrownBy(() -> KeyValueText.words("-o \"test output"))
        .isInstanceOf(NotationException.class)
        .hasMessage("words \"-o \"test output\": unmatched \" at column 4; close the quote");
  }

  @Property(tries = 500)
  void quotedWordsReadBack(@ForAll List<String> words) {
    String line = String.join(" ", words.stream().map(KeyValueText::quote).toList());
    assertThat(KeyValueText.words(line)).isEqualTo(words);
  }

  @Property(tries = 300)
  void recordsReadBack(@ForAll("records") Map<String, String> record) {
    String text =
        String.join(
            " ", record.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
    assertThat(KeyValueText.record(text)).isEqualTo(record);
  }

  @Provide
  Arbitrary<Map<String, String>> records() {
    return Arbitraries.maps(
            Arbitraries.of("JobId", "Name", "S:C:T", "CPUs/Task", "a_b"),
            Arbitraries.of("", "x", "a=b", "two words", "=", "n[1-3]", "(null)", "a  b c"))
        .ofMaxSize(5);
  }

  @Test
  void bothFormsOfSacctReadAlike() {
    String parsable = "JobID|JobName|State|\n1|my job|RUNNING|\n2||PENDING|\n";
    String parsable2 = "JobID|JobName|State\n1|my job|RUNNING\n2||PENDING\n";
    assertThat(DelimitedText.rows(parsable, '|'))
        .isEqualTo(DelimitedText.rows(parsable2, '|'))
        .hasSize(2)
        .first()
        .extracting(r -> r.get("JobName"))
        .isEqualTo("my job");
  }

  @Test
  void aHeaderAloneHasNoRows() {
    assertThat(DelimitedText.rows("JobID|JobName|State\n", '|')).isEmpty();
    assertThat(DelimitedText.rows("", '|')).isEmpty();
  }

  @Test
  void clusterLinesAndRepeatedHeadersAreSkipped() {
    String text = "CLUSTER: one\nNODES|STATE\n1|idle\n\nCLUSTER: two\nNODES|STATE\n2|mix\n";
    assertThat(DelimitedText.rows(text, '|'))
        .extracting(r -> r.get("NODES") + r.get("STATE"))
        .containsExactly("1idle", "2mix");
  }

  @Test
  void aDelimiterInTheLastColumnStaysInIt() {
    assertThat(DelimitedText.rows("JobID|JobName\n1|a|b\n2\n3|a|b|\n", '|'))
        .extracting(r -> r.getOrDefault("JobName", "-"))
        .containsExactly("a|b", "-", "a|b|");
  }

  @Test
  void bytesThatAreNoUtf8CostOneNameAndNoRow() {
    byte[] bytes = "JobID|JobName\n1|caf?\n2|ok\n".getBytes(StandardCharsets.US_ASCII);
    bytes[19] = (byte) 0xE9;
    assertThat(DelimitedText.rows(DelimitedText.decode(bytes), '|'))
        .extracting(r -> r.get("JobName"))
        .containsExactly("caf\uFFFD", "ok");
  }

  @Test
  void theStarOfTheDefaultPartitionIsNoPartOfItsName() {
    assertThat(SinfoText.partition("gpu*"))
        .isEqualTo(new SinfoText.PartitionName("gpu", true))
        .hasToString("gpu*");
    assertThat(SinfoText.partition("hb120v2-low"))
        .isEqualTo(new SinfoText.PartitionName("hb120v2-low", false));
  }

  @Test
  void aPlusBehindANumberMeansAtLeast() {
    assertThat(SinfoText.amount("32+"))
        .isEqualTo(new SinfoText.Amount(32, true))
        .hasToString("32+");
    assertThat(SinfoText.amount(" 96 ")).isEqualTo(new SinfoText.Amount(96, false));
    assertThatThrownBy(() -> SinfoText.amount("32x")).isInstanceOf(NotationException.class);
  }

  @Test
  void aTextThatIsTooLongIsNamedWithItsOptionAndLimit() {
    assertThat(TextLimits.check("--comment", "x".repeat(1024))).hasSize(1024);
    assertThat(TextLimits.check("--comment", "🚀".repeat(1024))).hasSize(2048);
    assertThatThrownBy(() -> TextLimits.check("--comment", "x".repeat(1025)))
        .isInstanceOf(NotationException.class)
        .hasMessage("--comment \"" + "x".repeat(80) + "...\": 1025 characters; use at most 1024");
  }

  @Test
  void aCutTextShowsThatItWasCut() {
    assertThat(TextLimits.cut("train-llama", 6)).isEqualTo("train…");
    assertThat(TextLimits.cut("🚀🚀🚀", 2)).isEqualTo("🚀…");
    assertThat(TextLimits.cut("train", 5)).isEqualTo("train");
  }
}
