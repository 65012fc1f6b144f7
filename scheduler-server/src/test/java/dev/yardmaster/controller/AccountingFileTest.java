package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class AccountingFileTest {
  @Test
  void linesAreWordsAsAShellReadsThemAndTheStarterHasAName() {
    List<String> text =
        List.of(
            "# nothing", "", "add account a Description=\"two words\"", "add user {user} # why");
    assertThat(AccountingFile.parse("f", text, "mia").lines())
        .containsExactly(
            new AccountingFile.Line(3, List.of("add", "account", "a", "Description=two words")),
            new AccountingFile.Line(4, List.of("add", "user", "mia")));
  }

  @Test
  void aLineThatCannotBeReadIsNamed() {
    List<String> text = List.of("add account a", "add account 'b");
    assertThatThrownBy(() -> AccountingFile.parse("f", text, "mia"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("f:2: a quote");
  }
}
