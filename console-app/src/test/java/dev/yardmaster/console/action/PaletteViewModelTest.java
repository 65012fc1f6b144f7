package dev.yardmaster.console.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.i18n.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javafx.beans.property.SimpleBooleanProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PaletteViewModelTest {
  private final Actions actions = new Actions();
  private final List<String> opened = new ArrayList<>();
  private final PaletteViewModel palette =
      new PaletteViewModel(actions, Texts.of(Locale.ENGLISH), Tasks.sameThread());

  @BeforeEach
  void addEntries() {
    actions.add(
        Action.of("cluster", ActionText.MENU_CLUSTER, MenuPlace.VIEW, () -> opened.add("cluster")),
        Action.of("off", ActionText.MENU_HELP, MenuPlace.VIEW, () -> opened.add("off"))
            .enabledWhile(new SimpleBooleanProperty(false)));
    palette.addSource(
        () ->
            List.of(
                new PaletteEntry(
                    PaletteKind.JOB, "4711 qwen", "nlp", "", () -> opened.add("4711"))));
  }

  private List<String> titles() {
    return palette.matchesProperty().get().stream().map(m -> m.entry().title()).toList();
  }

  @Test
  void openingListsEnabledCommandsAndThenTheSources() {
    palette.open();

    assertThat(titles()).containsExactly("Cluster", "4711 qwen");
  }

  @Test
  void typingNarrowsAndChoosingRunsAndCloses() {
    palette.open();
    palette.queryProperty().set("47");
    palette.choose(palette.matchesProperty().get().getFirst());

    assertThat(opened).containsExactly("4711");
    assertThat(palette.openProperty().get()).isFalse();
  }

  @Test
  void reopeningForgetsTheQuery() {
    palette.open();
    palette.queryProperty().set("47");
    palette.close();
    palette.open();

    assertThat(palette.queryProperty().get()).isEmpty();
    assertThat(titles()).hasSize(2);
  }
}
