package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class HostListPropertiesTest {
  private static final String CHARS = "abz019-_.";

  /** A bracket expression with the names it stands for, worked out without the code under test. */
  record Expression(String text, List<String> names) {}

  @Property(tries = 600)
  void foldGivesBackExactlyTheSet(@ForAll("nameSets") Set<String> names) {
    String folded = HostList.fold(names);
    HostList list = HostList.parse(folded);
    assertThat(list.size()).isEqualTo(names.size());
    assertThat(new TreeSet<>(list.expand())).isEqualTo(new TreeSet<>(names));
    assertThat(HostList.fold(list.expand())).isEqualTo(folded);
  }

  @Property(tries = 600)
  void aListKeepsOrderAndRepetition(@ForAll("nameLists") List<String> names) {
    HostList list = HostList.of(names);
    assertThat(list.expand()).isEqualTo(names);
    assertThat(list.size()).isEqualTo(names.size());
    assertThat(HostList.parse(list.toString())).isEqualTo(list).hasToString(list.toString());
  }

  @Property(tries = 600)
  void bracketsStandForTheirProduct(@ForAll("expressions") List<Expression> expressions) {
    String text = String.join(",", expressions.stream().map(Expression::text).toList());
    List<String> names = expressions.stream().flatMap(e -> e.names().stream()).toList();
    HostList list = HostList.parse(text);
    assertThat(list.expand()).isEqualTo(names);
    assertThat(list.size()).isEqualTo(names.size());
    assertThat(HostList.parse(list.toString()).expand()).isEqualTo(names);
  }

  @Property(tries = 300)
  void containsAgreesWithTheExpansion(
      @ForAll("expressions") List<Expression> expressions, @ForAll("names") String other) {
    String text = String.join(",", expressions.stream().map(Expression::text).toList());
    HostList list = HostList.parse(text);
    Set<String> names = new TreeSet<>(list.expand());
    assertThat(names).allMatch(list::contains);
    assertThat(list.contains(other)).isEqualTo(names.contains(other));
    for (String name : names) {
      assertThat(list.contains("0" + name)).isEqualTo(names.contains("0" + name));
      assertThat(list.contains(name + "0")).isEqualTo(names.contains(name + "0"));
    }
  }

  @Provide
  Arbitrary<String> names() {
    Arbitrary<String> wild = Arbitraries.strings().withChars(CHARS).ofMinLength(1).ofMaxLength(8);
    Arbitrary<String> regular =
        Combinators.combine(
                Arbitraries.of("n", "node-", "r1c", "a.b", ""),
                numbers(),
                Arbitraries.of("", "-", "c", ".example.org"),
                numbers())
            .as((prefix, first, joint, second) -> prefix + first + joint + second);
    return Arbitraries.frequencyOf(
        net.jqwik.api.Tuple.of(1, wild), net.jqwik.api.Tuple.of(4, regular));
  }

  @Provide
  Arbitrary<Set<String>> nameSets() {
    return names().set().ofMaxSize(60);
  }

  @Provide
  Arbitrary<List<String>> nameLists() {
    return names().list().ofMaxSize(40);
  }

  @Provide
  Arbitrary<List<Expression>> expressions() {
    Arbitrary<Expression> part = Arbitraries.oneOf(literals(), ranges());
    return part.list()
        .ofMinSize(1)
        .ofMaxSize(4)
        .map(HostListPropertiesTest::product)
        .list()
        .ofMinSize(1)
        .ofMaxSize(3);
  }

  private static Arbitrary<String> numbers() {
    return Combinators.combine(Arbitraries.integers().between(0, 120), Arbitraries.of(0, 0, 2, 3))
        .as((value, width) -> pad(value, width));
  }

  private static Arbitrary<Expression> literals() {
    return Arbitraries.strings()
        .withChars("ab0-.")
        .ofMinLength(1)
        .ofMaxLength(4)
        .map(s -> new Expression(s, List.of(s)));
  }

  private static Arbitrary<Expression> ranges() {
    Arbitrary<Expression> one =
        Combinators.combine(
                Arbitraries.integers().between(0, 15),
                Arbitraries.integers().between(0, 4),
                Arbitraries.of(1, 1, 2, 3))
            .as(
                (low, more, width) -> {
                  var names = new ArrayList<String>();
                  for (int value = low; value <= low + more; value++) {
                    names.add(pad(value, width));
                  }
                  String text = names.getFirst() + (more == 0 ? "" : "-" + names.getLast());
                  return new Expression(text, names);
                });
    return one.list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .map(
            parts ->
                new Expression(
                    "[" + String.join(",", parts.stream().map(Expression::text).toList()) + "]",
                    parts.stream().flatMap(p -> p.names().stream()).toList()));
  }

  private static Expression product(List<Expression> parts) {
    List<String> names = List.of("");
    for (Expression part : parts) {
      var next = new ArrayList<String>();
      names.forEach(head -> part.names().forEach(tail -> next.add(head + tail)));
      names = next;
    }
    return new Expression(String.join("", parts.stream().map(Expression::text).toList()), names);
  }

  private static String pad(int value, int width) {
    return width == 0 ? Integer.toString(value) : String.format("%0" + width + "d", value);
  }
}
