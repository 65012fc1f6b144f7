package dev.yardmaster.console.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LineEditorTest implements LineEditor.Host {
  private static final String UP = "\u001b[A";
  private static final String DOWN = "\u001b[B";
  private static final String LEFT = "\u001b[D";

  private final StringBuilder shown = new StringBuilder();
  private final List<String> entered = new ArrayList<>();
  private List<String> found = List.of();
  private final LineEditor editor = new LineEditor("$ ", this);

  @Override
  public void echo(String text) {
    shown.append(text);
  }

  @Override
  public void enter(String line) {
    entered.add(line);
    editor.prompt();
  }

  @Override
  public void interrupt() {
    editor.prompt();
  }

  @Override
  public List<String> complete(String line) {
    return found;
  }

  private String type(String keys) {
    entered.clear();
    editor.feed(keys + "\r");
    return entered.getFirst();
  }

  @Test
  void keysEditTheLine() {
    assertThat(type("squeue")).isEqualTo("squeue");
    assertThat(type("squeux\u007fe")).isEqualTo("squeue");
    assertThat(type("sqeue" + LEFT + LEFT + LEFT + "u")).isEqualTo("squeue");
    assertThat(type("queue\u0001s\u0005 -l")).isEqualTo("squeue -l");
    assertThat(type("scancel 12\u0017-u me")).isEqualTo("scancel -u me");
    assertThat(type("wrong\u0015sinfo")).isEqualTo("sinfo");
    assertThat(type("ab\u001b[D\u001b[3~c")).isEqualTo("ac");
  }

  @Test
  void earlierLinesComeBack() {
    type("sinfo");
    type("squeue");
    assertThat(type(UP + UP)).isEqualTo("sinfo");
    assertThat(type(UP + UP + DOWN)).isEqualTo("sinfo");
    assertThat(type(UP + DOWN)).isEmpty();
  }

  @Test
  void whatWasInterruptedIsForgotten() {
    editor.feed("scancel 4711\u0003");
    assertThat(type("sinfo")).isEqualTo("sinfo");
  }

  @Test
  void theOnlyCompletionIsTakenAndSeveralAreListed() {
    found = List.of("--partition=");
    assertThat(type("squeue --par\ttrain")).isEqualTo("squeue --partition=train");
    found = List.of("node001", "node002");
    assertThat(type("sinfo -n no\t1")).isEqualTo("sinfo -n node001");
    shown.setLength(0);
    editor.feed("sinfo -n node00\t");
    assertThat(shown).contains("node001  node002");
    found = List.of("node001");
    assertThat(type("\t")).isEqualTo("sinfo -n node001 ");
    found = List.of("4711");
    assertThat(type("scancel 12,47\t")).isEqualTo("scancel 12,4711 ");
  }

  @Property
  void whateverIsTypedTheCursorStaysInTheLine(@ForAll List<Character> keys) {
    for (char key : keys) {
      editor.feed(String.valueOf(key));
    }
    editor.feed("\u001b[D\u001b[C\u0005\r");
    assertThat(shown).isNotEmpty();
  }
}
