package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @Test
  void foldKeepsNamesOfDifferentWidthBeforeADomainApart() {
    assertThat(HostList.fold(List.of("a1.example.com", "a02.example.com")))
        .isEqualTo("a1.example.com,a02.example.com");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "srv01,srv3|srv01 srv3",
        "node[009-011]|node009 node010 node011",
        "n[009-011]|n009 n010 n011",
        "b04-[09-10]|b04-09 b04-10",
        "n[1-2,5],r[1-2]n[01-02]x,login|n1 n2 n5 r1n01x r1n02x r2n01x r2n02x login",
        "t004-010,t006-[001-002],t004-009-v[7-8]|t004-010 t006-001 t006-002 t004-009-v7"
            + " t004-009-v8",
        "compute-0-195|compute-0-195",
      })
  void expandsEveryRangeToTheWidthOfItsStart(String text, String names) {
    assertThat(HostList.parse(text).expand()).containsExactly(names.split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "node[1-3|hostlist \"node[1-3\": unmatched \"[\" at column 5; write node[1-3]",
        "node]1-2[|hostlist \"node]1-2[\": unmatched \"]\" at column 5; open the range with \"[\""
            + " before it",
        "node[0-2000000]|hostlist \"node[0-2000000]\": stands for 2000001 names at column 1; use at"
            + " most 1000000",
        "n[3-1]|hostlist \"n[3-1]\": range 3-1 runs backwards at column 3; write 1-3",
        "n[]|hostlist \"n[]\": empty brackets at column 2; write a range as [1-3]",
        "n[1-3]x[2|hostlist \"n[1-3]x[2\": unmatched \"[\" at column 8; write n[1-3]x[2]",
      })
  void refusesWithTheColumnAndWhatWouldBeRight(String text, String message) {
    assertThatThrownBy(() -> HostList.parse(text))
        .isInstanceOf(NotationException.class)
        .hasMessage(message);
  }
}
