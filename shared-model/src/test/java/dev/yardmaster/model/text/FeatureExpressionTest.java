package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.model.text.FeatureExpression.And;
import dev.yardmaster.model.text.FeatureExpression.Choice;
import dev.yardmaster.model.text.FeatureExpression.Count;
import dev.yardmaster.model.text.FeatureExpression.Counts;
import dev.yardmaster.model.text.FeatureExpression.Feature;
import dev.yardmaster.model.text.FeatureExpression.Or;
import dev.yardmaster.model.text.FeatureExpression.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeatureExpressionTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a # a",
        "turing^ampere # turing^ampere",
        "a&b # a&b",
        "a,b # a&b",
        "a& # a",
        "a&b, # a&b",
        "a&& # ",
        "a^ # ",
        "a&b&c # a&b&c",
        "(a&b)&c # a&b&c",
        "a&b^c # (a&b)^c",
        "a^b&c # (a^b)&c",
        "a&(b^c) # a&(b^c)",
        "gpu&(rack1^rack2) # gpu&(rack1^rack2)",
        "((a)) # a",
        "[rack1^rack2] # [rack1^rack2]",
        "[a&b*2] # ",
        "[(a&b)^c] # [(a&b)^c]",
        "[a*2&c*2] # [a*2&c*2]",
        "[a*2,c*2] # [a*2&c*2]",
        "[(knl&snc4&flat)*4&haswell*1] # [(knl&snc4&flat)*4&haswell*1]",
        "[(rack1^rack2)*1&(rack3)*2] # [(rack1^rack2)*1&rack3*2]",
        "gpu&[a^b] # gpu&[a^b]",
        "gpu&[a*2&b*1] # gpu&[a*2&b*1]",
        "graphics*4 # graphics*4",
        "(a&b)*2 # (a&b)*2",
        "nvme-local # nvme-local",
        "1,1-c01 # 1&1-c01",
        "ib-i1l1s01&el7.9 # ib-i1l1s01&el7.9",
      })
  void readsEveryDocumentedFormStrictlyFromLeftToRight(String row) {
    String[] parts = row.replace('^', '|').split(" # ?", -1);
    if (parts[1].isEmpty()) {
      assertThatThrownBy(() -> FeatureExpression.parse(parts[0]))
          .isInstanceOf(NotationException.class);
      return;
    }
    FeatureExpression expression = FeatureExpression.parse(parts[0]);
    assertThat(expression).hasToString(parts[1]);
    assertThat(FeatureExpression.parse(parts[1])).isEqualTo(expression);
  }

  @ParameterizedTest
  @CsvSource({
    "a&b|c, a b, true",
    "a&b|c, c, true",
    "a&b|c, a, false",
    "a|b&c, a, false",
    "a|b&c, a c, true",
    "a|b&c, b c, true",
    "a&(b|c), a c, true",
    "a&(b|c), b c, false",
    "'a,b', a b, true",
    "'a,b', a, false",
    "[a|b], b, true",
    "[a|b], c, false",
    "[a*2&b*1], b, true",
    "[a*2&b*1], c, false",
    "x&[a*2&b*1], b, true",
    "[a*2&b*1]&x, x, false",
    "x&[a|b], x b, true",
    "x&[a|b], b, false",
    "graphics*4, c, true",
    "nvme-local, nvme-local, true",
    "nvme-local, nvme local, false",
  })
  void judgesOneNode(String expression, String features, boolean matches) {
    assertThat(FeatureExpression.parse(expression).matches(Set.of(features.split(" "))))
        .isEqualTo(matches);
  }

  @Test
  void bracketsOfferBranchesThatAllNodesShare() {
    assertThat(FeatureExpression.parse("gpu&[a|(b&c)]").alternatives())
        .containsExactly(FeatureExpression.parse("gpu&a"), FeatureExpression.parse("gpu&b&c"));
    assertThat(FeatureExpression.parse("[a|b]").alternatives())
        .containsExactly(FeatureExpression.parse("a"), FeatureExpression.parse("b"));
    assertThat(FeatureExpression.parse("a|b").alternatives())
        .containsExactly(FeatureExpression.parse("a|b"));
  }

  @Test
  void countsAreNumbersOfNodesOfTheWholeJob() {
    assertThat(FeatureExpression.parse("x&[a*2&(b|c)*4]").counts())
        .containsExactly(
            new Count(new Feature("a"), 2),
            new Count(new Or(List.of(new Feature("b"), new Feature("c"))), 4));
    assertThat(FeatureExpression.parse("(a&b)*2").counts())
        .containsExactly(new Count(new And(List.of(new Feature("a"), new Feature("b"))), 2));
    assertThat(FeatureExpression.parse("a&b").counts()).isEmpty();
  }

  @Test
  void namesAreInOrderOfMention() {
    assertThat(FeatureExpression.parse("z&[b|(a&z)]").names()).containsExactly("z", "b", "a");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "a| # expected a feature, found the end at column 3; write a&b, a|b, (a|b)&c, [a|b] or"
            + " [a*2&b*1]",
        "&a # expected a feature, found \"&\" at column 1; write a&b, a|b, (a|b)&c, [a|b] or"
            + " [a*2&b*1]",
        "a||b # expected a feature, found \"|\" at column 3; write a&b, a|b, (a|b)&c, [a|b] or"
            + " [a*2&b*1]",
        "!a # expected a feature, found \"!\" at column 1; write a&b, a|b, (a|b)&c, [a|b] or"
            + " [a*2&b*1]",
        "a b # unexpected \" \" at column 2; write a&b, a|b, (a|b)&c, [a|b] or" + " [a*2&b*1]",
        "(a&b # unmatched \"(\" at column 1; close it with \")\"",
        "a) # unexpected \")\" at column 2; write a&b, a|b, (a|b)&c, [a|b] or" + " [a*2&b*1]",
        "() # expected a feature, found \")\" at column 2; write a&b, a|b, (a|b)&c, [a|b] or"
            + " [a*2&b*1]",
        "[a|b # unmatched \"[\" at column 1; close it with \"]\"",
        "[] # expected a feature, found \"]\" at column 2; write a&b, a|b, (a|b)&c, [a|b] or"
            + " [a*2&b*1]",
        "a*1&d*1 # counts of several features outside brackets; write [a*2&b*1]",
        "a*2|b # counts of several features outside brackets; write [a*2&b*1]",
        "(a*2)*3 # a count of a count at column 6; use one count",
        "[a&b] # \"&\" in brackets without a count for each part at column 1; write [a*2&b*1]",
        "[a*2|b*1] # a count in a choice at column 1; write [a|b] or [a*2&b*1]",
        "[a*2&b] # \"&\" in brackets without a count for each part at column 1; write [a*2&b*1]",
        "[a|b&c] # both \"|\" and \"&\" in brackets at column 5; group with parentheses",
        "[a|b]&[c|d] # a second pair of brackets at column 7; use one [...] at the top",
        "([a|b]) # brackets inside parentheses at column 2; use one [...] at the top",
        "[a|b]|c # brackets beside \"|\"; join brackets with \"&\"",
        "a*0 # a count of 0 nodes at column 2; use 1 or more",
        "a* # expected a number of nodes, found the end at column 3; write a whole number",
        "a*9999999 # a number of nodes 9999999 is too large at column 3; use at most 1000000",
      })
  void refusesBadSyntaxWithTheColumn(String text, String message) {
    assertThatThrownBy(() -> FeatureExpression.parse(text))
        .isInstanceOf(NotationException.class)
        .hasMessage("constraint \"" + text + "\": " + message);
  }

  @Test
  void refusesTheEmptyAndTheEndless() {
    assertThatThrownBy(() -> FeatureExpression.parse(""))
        .hasMessage("constraint \"\": empty; name a feature");
    assertThatThrownBy(() -> FeatureExpression.parse("a|".repeat(4000) + "a"))
        .hasMessageEndingWith("8001 characters; use at most 4096");
    assertThatThrownBy(() -> FeatureExpression.parse("(".repeat(33) + "a" + ")".repeat(33)))
        .hasMessageContaining("parentheses nested deeper than 32 at column 33");
    assertThatThrownBy(() -> FeatureExpression.parse("a&b|".repeat(1000) + "c"))
        .hasMessageContaining("\"&\" and \"|\" alternate more than 100 times at column 204");
    assertThat(FeatureExpression.parse("a&b|".repeat(50) + "c").matches(Set.of("c"))).isTrue();
    assertThat(FeatureExpression.parse("a|".repeat(2000) + "c").matches(Set.of("c"))).isTrue();
  }

  @Property(tries = 600)
  void everyExpressionReadsBack(@ForAll("expressions") FeatureExpression expression) {
    assertThat(FeatureExpression.parse(expression.toString())).isEqualTo(expression);
  }

  @Property(tries = 600)
  void judgesAsAPlainReadingFromLeftToRight(
      @ForAll("flat") List<String> tokens,
      @ForAll Set<@net.jqwik.api.constraints.CharRange(from = 'a', to = 'd') Character> has) {
    var text = new StringBuilder(tokens.getFirst().substring(1));
    boolean expected = has.contains(tokens.getFirst().charAt(1));
    for (String token : tokens.subList(1, tokens.size())) {
      text.append(token);
      boolean here = has.contains(token.charAt(1));
      expected = token.charAt(0) == '|' ? expected || here : expected && here;
    }
    Set<String> features = new java.util.HashSet<>();
    has.forEach(c -> features.add(c.toString()));
    assertThat(FeatureExpression.parse(text.toString()).matches(features)).isEqualTo(expected);
  }

  @Property(tries = 300)
  void someAlternativeMatchesWhereverTheWholeDoes(
      @ForAll("expressions") FeatureExpression expression, @ForAll("featureSets") Set<String> has) {
    boolean any = expression.alternatives().stream().anyMatch(e -> e.matches(has));
    assertThat(any).isEqualTo(expression.matches(has));
  }

  @Provide
  Arbitrary<List<String>> flat() {
    return Combinators.combine(Arbitraries.of("|", "&", ","), Arbitraries.of("a", "b", "c", "d"))
        .as((op, name) -> op + name)
        .list()
        .ofMinSize(1)
        .ofMaxSize(8);
  }

  @Provide
  Arbitrary<Set<String>> featureSets() {
    return Arbitraries.of("a", "b", "nvme-local", "el7.9").set();
  }

  @Provide
  Arbitrary<FeatureExpression> expressions() {
    Arbitrary<Term> plain = plain(3);
    Arbitrary<Count> count =
        Combinators.combine(plain, Arbitraries.integers().between(1, 99)).as(Count::new);
    Arbitrary<Term> choice = plain.list().ofMinSize(1).ofMaxSize(3).map(Choice::new);
    Arbitrary<Term> counts = count.list().ofMinSize(1).ofMaxSize(3).map(Counts::new);
    Arbitrary<Term> bracket = Arbitraries.oneOf(choice, counts);
    Arbitrary<Term> beside =
        Combinators.combine(plain, bracket)
            .as(
                (left, right) -> {
                  var terms = new ArrayList<Term>(List.of(left, right));
                  return new And(terms);
                });
    return Arbitraries.oneOf(plain, bracket, beside, count.map(c -> (Term) c))
        .map(FeatureExpression::new);
  }

  private static Arbitrary<Term> plain(int depth) {
    Arbitrary<Term> feature = Arbitraries.of("a", "b", "nvme-local", "el7.9").map(Feature::new);
    if (depth == 0) {
      return feature;
    }
    Arbitrary<List<Term>> parts = plain(depth - 1).list().ofMinSize(2).ofMaxSize(3);
    return Arbitraries.oneOf(feature, parts.map(And::new), parts.map(Or::new));
  }
}
