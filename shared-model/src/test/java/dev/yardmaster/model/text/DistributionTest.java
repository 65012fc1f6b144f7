package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DistributionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "block|block",
        "Cyclic|cyclic",
        "*|block",
        "*:*|block:cyclic",
        "cyclic:block|cyclic:block",
        "block:fcyclic:*|block:fcyclic:fcyclic",
        "block:*:block|block:cyclic:block",
        "plane=4|plane=4",
        "arbitrary|arbitrary",
        "hostfile|arbitrary",
        "Pack|pack",
        "block,NOPACK|block,nopack",
      })
  void readsMethodsLevelByLevelAndWritesThemInFull(String text, String written) {
    Distribution distribution = Distribution.parse(text);
    assertThat(distribution).hasToString(written);
    assertThat(Distribution.parse(written)).isEqualTo(distribution);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "plane",
        "plane=0",
        "plane=x",
        "blok",
        "fcyclic",
        "block:x",
        "block:block:block:block",
        "arbitrary:block",
        "block,full",
        ",pack",
        "plane=2,pack"
      })
  void whatIsNoMethodIsNamed(String text) {
    assertThatThrownBy(() -> Distribution.parse(text))
        .isInstanceOf(NotationException.class)
        .hasMessageStartingWith("distribution");
  }
}
