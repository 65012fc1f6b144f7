package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostListTest {

  @Test
  void foldKeepsZerosInEveryNumber() {
    var names = new ArrayList<String>();
    for (int n = 1; n <= 4; n++) {
      for (int c = 1; c <= 9; c++) {
        names.add("n" + n + "c0" + c);
      }
    }
    assertThat(HostList.fold(names)).isEqualTo("n[1-4]c[01-09]");
    names.removeAll(List.of("n4c08", "n4c09"));
    assertThat(HostList.fold(names)).isEqualTo("n[1-3]c[01-09],n4c[01-07]");
    assertThat(HostList.parse(HostList.fold(names)).expand()).containsExactlyElementsOf(names);
  }

  @Test
  void foldKeepsWidthsApart() {
    var names = Set.of("aa007", "aa008", "aa009", "aa01", "aa02", "aa03", "aa04", "aa10");
    assertThat(HostList.fold(names)).isEqualTo("aa[01-04,10],aa[007-009]");
    assertThat(new TreeSet<>(HostList.parse(HostList.fold(names)).expand()))
        .isEqualTo(new TreeSet<>(names));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a1.example.com a02.example.com|a1.example.com,a02.example.com",
        "a1.example.com a2.example.com|a[1-2].example.com",
        "n1 n01 n001|n1,n01,n001",
        "n8 n9 n10 n11|n[8-11]",
        "n08 n09 n10 n99 n100|n[08-10,99-100]",
        "n9 n10 n09|n9,n[09-10]",
        "n0 n00|n0,n00",
        "b n1 a n1|a,b,n1",
        "r1n1 r1n2 r2n1 r2n2|r[1-2]n[1-2]",
        "compute-0-195 compute-0-196 compute-1-195|compute-0-[195-196],compute-1-195",
        "gpu-a100-01 gpu-h100-01|gpu-a100-01,gpu-h100-01",
        "1 2 3|[1-3]",
        "x123456789012345678901"
            + " x123456789012345678902|x123456789012345678901,x123456789012345678902",
      })
  void foldIsSortedAndExact(String names, String folded) {
    List<String> set = List.of(names.split(" "));
    assertThat(HostList.fold(set)).isEqualTo(folded);
    assertThat(HostList.parse(folded).expand())
        .containsExactlyInAnyOrderElementsOf(new TreeSet<>(set));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "srv01,srv3|srv01 srv3",
        "node[009-011]|node009 node010 node011",
        "n[009-011]|n009 n010 n011",
        "b04-[09-10]|b04-09 b04-10",
        "n[08-101]x|n08x … n101x",
        "n[1-2,5],r[1-2]n[01-02]x,login|n1 n2 n5 r1n01x r1n02x r2n01x r2n02x login",
        "t004-010,t006-[001-002],t004-009-v[7-8]|t004-010 t006-001 t006-002 t004-009-v7"
            + " t004-009-v8",
        "compute-0-195|compute-0-195",
        "[1-2]|1 2",
        "n[1]|n1",
        "n[00-01]|n00 n01",
        "n[3,1-2,1]|n3 n1 n2 n1",
        "n1,,n2,|n1 n2",
        "n[1-2][1-2]|n11 n12 n21 n22",
        "d[001-003],f[001-002]|d001 d002 d003 f001 f002",
      })
  void expandsEveryRangeToTheWidthOfItsStart(String text, String names) {
    List<String> expanded = HostList.parse(text).expand();
    if (names.contains("…")) {
      String[] ends = names.split(" … ");
      assertThat(expanded).hasSize(94).startsWith(ends[0]).endsWith(ends[1]);
    } else {
      assertThat(expanded).containsExactly(names.split(" "));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "n1,n2,n3|n[1-3]",
        "n3,n1,n2|n[3,1-2]",
        "n1,a1,n2|n1,a1,n2",
        "n09,n10,n011|n[09-10,011]",
        "n[1-3],n4|n[1-4]",
        "n[1-2]x,n3x|n[1-2]x,n3x",
        "n9,n09|n[9,09]",
      })
  void printsFoldedInTheOrderGiven(String text, String printed) {
    HostList list = HostList.parse(text);
    assertThat(list).hasToString(printed);
    assertThat(HostList.parse(printed)).isEqualTo(list);
    assertThat(HostList.of(list.expand())).isEqualTo(list).hasSameHashCodeAs(list);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "node[1-3|unmatched \"[\" at column 5; write node[1-3]",
        "n[1-3]x[2|unmatched \"[\" at column 8; write n[1-3]x[2]",
        "n[1-3,|unmatched \"[\" at column 2; close it with \"]\"",
        "node[1-3,b5|unmatched \"[\" at column 5; close it with \"]\"",
        "n[|unmatched \"[\" at column 2; close it with \"]\"",
        "node]1-2[|unmatched \"]\" at column 5; open the range with \"[\" before it",
        "node[0-2000000]|stands for 2000001 names at column 1; use at most 1000000",
        "n[1-1000],m[1-1000]x[1-1000]|stands for 1001000 names at column 11; use at most 1000000",
        "n[1-999999][1-999999][1-999999][1-999999]|stands for far too many names at column 1; use"
            + " at most 1000000",
        "n[3-1]|range 3-1 runs backwards at column 3; write 1-3",
        "n[1-010]|range end 010 is wider than its start 1 at column 5; pad both to one width",
        "n[]|empty brackets at column 2; write a range as [1-3]",
        "n[a-c]|expected a number in brackets, found \"a\" at column 3; write ranges as [1-3,7]",
        "n[1-]|expected a number in brackets, found \"]\" at column 5; write ranges as [1-3,7]",
        "n[1--3]|expected a number in brackets, found \"-\" at column 5; write ranges as [1-3,7]",
        "n[1;3]|unexpected \";\" in brackets at column 4; write ranges as [1-3,7]",
        "n[1-[2-3]]|expected a number in brackets, found \"[\" at column 5; write ranges as"
            + " [1-3,7]",
        "n1 n2|unexpected \" \" in a node name at column 3; separate names with a comma and no"
            + " space",
        "n1;n2|unexpected \";\" in a node name at column 3; use letters, digits, \"-\", \"_\" and"
            + " \".\"",
        "n[1234567890123456789]|number of 19 digits at column 3; use at most 18 digits",
        ",|no name between the commas; write names as n[1-3],n7",
      })
  void refusesWithTheColumnAndWhatWouldBeRight(String text, String message) {
    assertThatThrownBy(() -> HostList.parse(text))
        .isInstanceOf(NotationException.class)
        .hasMessage("hostlist \"" + text + "\": " + message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a,b", "n[1]", "a b", "n]", "tab\there"})
  void refusesNamesThatAListCouldNotHold(String name) {
    assertThatThrownBy(() -> HostList.of(List.of(name))).isInstanceOf(NotationException.class);
    assertThatThrownBy(() -> HostList.fold(List.of(name))).isInstanceOf(NotationException.class);
  }

  @Test
  void aMillionNamesCostNoMoreThanTheirText() {
    HostList list =
        Assertions.assertTimeout(
            Duration.ofMillis(500), () -> HostList.parse("r[000-999]n[000-999]"));
    assertThat(list.size()).isEqualTo(1_000_000);
    assertThat(list).hasToString("r[000-999]n[000-999]");
    assertThat(list.contains("r512n007")).isTrue();
    assertThat(list.contains("r512n1000")).isFalse();
    assertThat(list.contains("r512n07")).isFalse();
    assertThat(list.stream().skip(999_999).findFirst()).contains("r999n999");
    assertThat(list.iterator().next()).isEqualTo("r000n000");
  }

  @Test
  void expansionIsCappedWithTheFoldedListInTheError() {
    HostList list = HostList.parse("d[0001-5000]");
    assertThat(list.expand(5000)).hasSize(5000);
    assertThatThrownBy(() -> list.expand(4999))
        .hasMessage(
            "hostlist \"d[0001-5000]\": stands for 5000 names; at most 4999 are expanded here");
  }

  @Test
  void foldsManyNamesQuickly() {
    List<String> names = HostList.parse("rack[01-50]-n[0001-2000]").expand();
    String folded = Assertions.assertTimeout(Duration.ofSeconds(5), () -> HostList.fold(names));
    assertThat(folded).isEqualTo("rack[01-50]-n[0001-2000]");
    assertThat(HostList.of(names)).hasSize(100_000).isEqualTo(HostList.parse(folded));
  }

  @Test
  void expandsManySeparateRangesQuickly() {
    List<String> odd = IntStream.range(0, 200_000).mapToObj(i -> "n" + (2 * i + 1)).toList();
    HostList list = HostList.of(odd);
    List<String> expanded = Assertions.assertTimeout(Duration.ofSeconds(5), () -> list.expand());
    assertThat(expanded).isEqualTo(odd);
  }

  @Test
  void emptyIsEmpty() {
    assertThat(HostList.parse("")).isSameAs(HostList.EMPTY).isEmpty();
    assertThat(HostList.of(List.of())).isEqualTo(HostList.EMPTY).hasToString("");
    assertThat(HostList.fold(List.of())).isEmpty();
  }

  @Test
  void sortedDropsRepetitions() {
    assertThat(HostList.parse("n3,a1,n[1-3],n3").sorted()).hasToString("a1,n[1-3]");
  }

  @Test
  void orderPutsNineBeforeTen() {
    var names = new ArrayList<>(List.of("n10", "n9", "n09", "m2", "n9-a", "n9"));
    names.sort(HostList.ORDER);
    assertThat(names).containsExactly("m2", "n9", "n9", "n9-a", "n09", "n10");
  }

  @Test
  void listsThatStandForDifferentNamesDiffer() {
    assertThat(HostList.parse("n[1-2]")).isNotEqualTo(HostList.parse("n[2,1]"));
    assertThat(HostList.parse("n1")).isNotEqualTo(HostList.parse("n01"));
    assertThat(HostList.parse("n[1-2][1-2]")).isEqualTo(HostList.parse("n[11-12,21-22]"));
  }
}
