package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NotationExceptionTest {

  @Test
  void namesNotationInputFaultPlaceAndCure() {
    var e = new NotationException("hostlist", "node[1-3", 5, "unmatched \"[\"", "write node[1-3]");
    assertThat(e)
        .hasMessage("hostlist \"node[1-3\": unmatched \"[\" at column 5; write node[1-3]")
        .returns("hostlist", NotationException::notation)
        .returns("node[1-3", NotationException::input)
        .returns(5, NotationException::column)
        .returns("unmatched \"[\"", NotationException::wrong)
        .returns("write node[1-3]", NotationException::right);
  }

  @Test
  void leavesOutWhatIsNotKnown() {
    assertThat(new NotationException("time", "", 0, "empty", "")).hasMessage("time \"\": empty");
  }

  @Test
  void showsControlCharactersAndTheSurroundingsOfTheColumnOnOneLine() {
    String input = "x".repeat(500) + "\n\u001b[2J" + "y".repeat(500);
    var e = new NotationException("time", input, 501, "a line break\nhere", "z".repeat(900));
    assertThat(e.getMessage())
        .hasLineCount(1)
        .startsWith("time \"...xxx")
        .contains("x\\u000a\\u001b[2Jy")
        .contains("a line break\\u000ahere at column 501")
        .hasSizeLessThan(500);
    assertThat(e.input()).isEqualTo(input);
  }
}
