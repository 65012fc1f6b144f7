package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Partition;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccountingNamesTest {
  @Test
  void aNameIsKeptInLowerCaseAndNothingElseOfItChanges() {
    assertThat(AccountingNames.fold("TEST")).isEqualTo("test");
    assertThat(AccountingNames.fold("Alice@Example.org")).isEqualTo("alice@example.org");
    assertThat(AccountingNames.fold(List.of("Größe", "two words")))
        .containsExactly("größe", "two words");
  }

  @Test
  void aListInAnyCaseHasAName() {
    assertThat(AccountingNames.has(List.of("Prod", "TRAIN"), "train")).isTrue();
    assertThat(AccountingNames.has(List.of("Prod", "TRAIN"), "rain")).isFalse();
    assertThat(AccountingNames.has(List.of(), "")).isFalse();
  }

  @Test
  void aPartitionAdmitsByNamesInAnyCase() {
    Partition open = Partition.withDefaults("main", List.of("n1"));
    assertThat(open.admitsAccount("test")).isTrue();
    Partition some = open.withAllowAccounts(List.of("TRAIN")).withAllowQos(List.of("Gold"));
    assertThat(some.admitsAccount("train")).isTrue();
    assertThat(some.admitsAccount("test")).isFalse();
    assertThat(some.admitsQos("gold")).isTrue();
    assertThat(some.admitsQos("low")).isFalse();
    assertThat(some.admitsQos("")).isTrue();
    Partition others = open.withDenyAccounts(List.of("TRAIN")).withDenyQos(List.of("Gold"));
    assertThat(others.admitsAccount("train")).isFalse();
    assertThat(others.admitsAccount("test")).isTrue();
    assertThat(others.admitsQos("gold")).isFalse();
    assertThat(others.admitsQos("")).isTrue();
  }
}
