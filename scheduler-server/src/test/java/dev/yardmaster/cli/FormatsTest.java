package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class FormatsTest {
  private static final Layout.Field<String> NAME = new Layout.Field<>("NAME", row -> row);
  private final List<String> problems = new ArrayList<>();

  private Layout<String> percent(String format) {
    return Formats.percent(format, letter -> letter == 'j' ? NAME : null, problems);
  }

  @Test
  void sizesPadAndCut() {
    assertThat(percent("%j|").line("abc")).isEqualTo("abc|");
    assertThat(percent("%5j|").line("abc")).isEqualTo("abc  |");
    assertThat(percent("%.5j|").line("abc")).isEqualTo("  abc|");
    assertThat(percent("%.2j|").line("abc")).isEqualTo("ab|");
    assertThat(percent("%2j|").line("abc")).isEqualTo("ab|");
    assertThat(percent("%.10j|").header()).isEqualTo("      NAME|");
  }

  @Test
  void textBetweenStaysAsItIs() {
    assertThat(percent("a, b %j;%j end").line("x")).isEqualTo("a, b x;x end");
    assertThat(percent("no field").line("x")).isEqualTo("no field");
  }

  @Test
  void anUnknownLetterIsNamedAndItsTextShown() {
    assertThat(percent("%5.3j|").line("x")).isEqualTo("%5.3j|");
    assertThat(problems).containsExactly(".");
  }

  @Test
  void aTextMayHoldAnything() {
    assertThat(percent("%j|").line("a|b\nc=d\t\"")).isEqualTo("a|b\nc=d\t\"|");
  }

  @Test
  void widthsCountBytesAndNoCharacterIsCutInTwo() {
    assertThat(percent("%.10j|").line("Größe-naïve")).isEqualTo("Größe-na|");
    assertThat(percent("%4j|").line("日本")).isEqualTo("日 |");
  }

  @Property
  void aCutIsTheBeginningAndFits(@ForAll String text, @ForAll @IntRange(max = 40) int width) {
    String cut = Layout.cut(text, width);
    assertThat(text).startsWith(cut);
    assertThat(cut.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(width);
  }

  @Test
  void namedFieldsHaveTwentyCharactersUnlessTold() {
    Map<String, Layout.Field<String>> fields = Map.of("name", NAME);
    assertThat(Formats.names("name,Name:3,NAME:.6,name:4|", fields, problems).line("abcde"))
        .isEqualTo("abcde               abc abcdeabcd|");
    assertThat(Formats.names("name,alloc-nodes", fields, problems).header())
        .isEqualTo("NAME                ");
    assertThat(problems).containsExactly("alloc-nodes");
  }

  @Property
  void noFormatFails(@ForAll String format) {
    percent(format).line("row");
    Formats.names(format, Map.of("name", NAME), problems).header();
  }
}
