package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/**
 * Whatever the input, a parser answers soon, and either with a value or with a NotationException.
 */
class GarbageTest {
  private static final Instant NOW = Instant.parse("2026-11-29T13:30:15Z");
  private static final ZoneId ZONE = ZoneId.of("Europe/Madrid");
  private static final String NOTATION_CHARS =
      "0123456789[]()<>,;:-_+*&|?=/.%@#!~^$'\"\\ \t\nabTnNkKmMgGpPIDXS";

  private static final List<String> SEEDS =
      List.of(
          "n[1-3,007],r[1-2]n[01-16],login1",
          "2-12:30:10",
          "now+1hour",
          "2026-12-01T13:00:00",
          "12/01/26-4:00 PM",
          "62.50G",
          "gpu:h100:4(S:0-1)(IDX:0-2,5),shard:no_consume:5(1/4,0/4)",
          "cpu=1,mem=1000M,node=1,billing=1,gres/gpu:h100=2,license/x=1",
          "0-15:2,17",
          "1-10:2%3,17",
          "123_[4-9%2].extern",
          "after:8_*+1(unfulfilled)?afterok:2:3",
          "gpu&[(a|b)*2&c*1]",
          "IDLE+DRAIN+NOT_RESPONDING",
          "CANCELLED by 54321",
          "JobId=7 JobName=my job Comment=a=b",
          "#SBATCH -o \"test output\"",
          "Submitted batch job 1 on cluster x",
          "JobID|State|\n1|x|\n");

  private static final Map<String, Function<String, Object>> PARSERS = parsers();

  private static Map<String, Function<String, Object>> parsers() {
    var all = new LinkedHashMap<String, Function<String, Object>>();
    all.put("HostList", HostList::parse);
    all.put("HostList.of", s -> HostList.of(List.of(s)));
    all.put("HostList.fold", s -> HostList.fold(List.of(s)));
    all.put("TimeLimits", TimeLimits::parseSeconds);
    all.put("TimeLimits.minutes", TimeLimits::parseMinutes);
    all.put("TimeLimits.reported", TimeLimits::parseReported);
    all.put("Instants", s -> Instants.parse(s, NOW, ZONE));
    all.put("Instants.past", s -> Instants.parsePast(s, NOW, ZONE));
    all.put("Instants.reported", s -> Instants.parseReported(s, ZONE));
    all.put("Memory", Memory::parse);
    all.put("Memory.reported", Memory::parseReported);
    all.put("Memory.reqMem", Memory::parseReqMem);
    all.put("GresList", GresList::parse);
    all.put("GresItem", GresItem::parse);
    all.put("TresList", TresList::parse);
    all.put("IntRanges", IntRanges::parse);
    all.put("NodeCount", NodeCount::parse);
    all.put("ArraySpec", ArraySpec::parse);
    all.put("JobId", JobId::parse);
    all.put("Dependency", Dependency::parse);
    all.put("FeatureExpression", FeatureExpression::parse);
    all.put("NodeStateText", NodeStateText::parse);
    all.put("JobStateText", JobStateText::parse);
    all.put("SubmitText", SubmitText::parse);
    all.put("KeyValueText.record", KeyValueText::record);
    all.put("KeyValueText.records", KeyValueText::records);
    all.put("KeyValueText.words", KeyValueText::words);
    all.put("KeyValueText.sbatch", KeyValueText::sbatch);
    all.put("DelimitedText", s -> DelimitedText.rows(s, '|'));
    all.put(
        "DelimitedText.decode", s -> DelimitedText.decode(s.getBytes(StandardCharsets.UTF_16LE)));
    all.put("SinfoText.partition", SinfoText::partition);
    all.put("SinfoText.amount", SinfoText::amount);
    all.put("TextLimits", s -> TextLimits.check("--comment", s));
    return all;
  }

  @Property(tries = 700)
  void garbageIsReadOrRefusedAndNothingElse(@ForAll("garbage") String text) {
    PARSERS.forEach((name, parser) -> readOrRefuse(name, parser, text));
  }

  @Property(tries = 700)
  void whatIsReadPrintsItsCanonicalForm(@ForAll("garbage") String text) {
    canonical(text, HostList::parse);
    canonical(text, GresList::parse);
    canonical(text, TresList::parse);
    canonical(text, IntRanges::parse);
    canonical(text, NodeCount::parse);
    canonical(text, ArraySpec::parse);
    canonical(text, JobId::parse);
    canonical(text, Dependency::parse);
    canonical(text, FeatureExpression::parse);
    canonical(text, s -> TimeLimits.format(TimeLimits.parseSeconds(s)));
    canonical(text, s -> Memory.format(Memory.parseReported(s)));
  }

  @Test
  void hugeInputsAreAnsweredSoon() {
    List<String> huge =
        List.of(
            "[".repeat(100_000),
            "(".repeat(100_000),
            "n[".repeat(50_000),
            "n[1]".repeat(25_000),
            "n,".repeat(150_000),
            "n[1-9],".repeat(25_000),
            "9".repeat(150_000),
            "1-".repeat(50_000),
            "1,".repeat(100_000) + "1",
            "a=".repeat(100_000),
            "a=b ".repeat(50_000),
            "a ".repeat(100_000) + "k=" + " b".repeat(100_000),
            "gpu:1(S:0),".repeat(25_000) + "gpu:1",
            "cpu=1,".repeat(25_000) + "cpu=1",
            "afterok:1,".repeat(25_000) + "afterok:1",
            "afterok" + ":1".repeat(50_000),
            "a&".repeat(50_000) + "a",
            "a&b|".repeat(1_000) + "a",
            "+".repeat(100_000),
            "IDLE+".repeat(25_000),
            "*".repeat(50_000),
            "'".repeat(50_000),
            "\\".repeat(50_000),
            "|".repeat(100_000),
            "now+" + "1".repeat(100_000),
            " ".repeat(150_000),
            "\n".repeat(150_000),
            "1:".repeat(50_000),
            "0-4000000:1%1",
            "0-4000000:2%1",
            "n[000000-999999]");
    for (String text : huge) {
      PARSERS.forEach(
          (name, parser) ->
              Assertions.assertTimeoutPreemptively(
                  Duration.ofSeconds(5),
                  () -> readOrRefuse(name, parser, text),
                  () -> name + " on " + NotationException.shown(text, 1)));
    }
  }

  private static void readOrRefuse(String name, Function<String, Object> parser, String text) {
    long start = System.nanoTime();
    try {
      assertThat(parser.apply(text)).isNotNull();
    } catch (NotationException e) {
      String message = String.valueOf(e.getMessage());
      assertThat(message).contains(e.notation(), e.wrong(), e.right());
      assertThat(message.length()).as("length of the message").isLessThan(700);
      assertThat(message.lines()).as("lines of the message").hasSize(1);
      assertThat(e.column()).isBetween(0, e.input().length() + 1);
    } catch (RuntimeException | StackOverflowError e) {
      fail(name + " on \"" + NotationException.shown(text, 1) + "\" threw " + e, e);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .as(name)
        .isLessThan(Duration.ofSeconds(5));
  }

  private static void canonical(String text, Function<String, Object> parser) {
    Object value;
    try {
      value = parser.apply(text);
    } catch (NotationException e) {
      return;
    }
    Object again = parser.apply(value.toString());
    assertThat(again).isEqualTo(value).hasToString(value.toString());
  }

  @Provide
  Arbitrary<String> garbage() {
    Arbitrary<String> wild = Arbitraries.strings().ofMaxLength(40);
    Arbitrary<String> near = Arbitraries.strings().withChars(NOTATION_CHARS).ofMaxLength(24);
    Arbitrary<String> mutated =
        Combinators.combine(
                Arbitraries.of(SEEDS),
                Arbitraries.integers().between(0, 200),
                Arbitraries.integers().between(0, 4),
                Arbitraries.strings().withChars(NOTATION_CHARS).ofMaxLength(3))
            .as(
                (seed, at, cut, put) -> {
                  int from = at % (seed.length() + 1);
                  int to = Math.min(seed.length(), from + cut);
                  return seed.substring(0, from) + put + seed.substring(to);
                });
    return Arbitraries.frequencyOf(Tuple.of(1, wild), Tuple.of(2, near), Tuple.of(3, mutated));
  }
}
