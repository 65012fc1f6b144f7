package dev.yardmaster.console.shell;

import dev.yardmaster.console.action.Action;
import dev.yardmaster.console.action.Menus;
import dev.yardmaster.console.action.Shortcuts;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Dot;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.kit.Pill;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.theme.Theme;
import java.util.List;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.OverrunStyle;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;

/** The bar at the upper edge: product, place, moment, search, role and staged changes. */
final class TopBar extends HBox {
  private final ConsoleContext context;
  private final Texts texts;
  private final HBox place = new HBox();
  private final Pill live = new Pill("", Tone.NEUTRAL);

  TopBar(ConsoleContext context, FrameViewModel model) {
    this.context = context;
    texts = context.texts();
    getStyleClass().add("top-bar");
    place.getStyleClass().add("breadcrumb");
    place.setMinWidth(USE_PREF_SIZE);
    Label product = Labels.of(texts.get(ShellText.PRODUCT), "product");
    product.setMinWidth(USE_PREF_SIZE);
    live.setMinWidth(USE_PREF_SIZE);
    live.setTooltip(new Tooltip(texts.get(ShellText.LIVE_HINT)));
    getChildren()
        .addAll(
            menu(),
            product,
            place,
            live,
            Labels.gap(),
            search(),
            Labels.gap(),
            role(model),
            staged(model),
            themeSwitch());
    model.liveProperty().addListener((o, was, now) -> showLive(now));
    showLive(model.liveProperty().get());
  }

  /** Shows where the user is; the last name is the innermost. */
  void showPlace(List<String> names) {
    place.getChildren().clear();
    for (int i = 0; i < names.size(); i++) {
      if (i > 0) {
        place.getChildren().add(Labels.of("›", "breadcrumb-separator"));
      }
      boolean last = i == names.size() - 1;
      Label name = Labels.of(names.get(i), last ? "breadcrumb-here" : "breadcrumb-name");
      name.setTextOverrun(OverrunStyle.CENTER_ELLIPSIS);
      place.getChildren().add(name);
    }
  }

  private MenuButton menu() {
    MenuButton menu = new MenuButton("", Icon.MENU.node());
    menu.setId("main-menu");
    menu.getStyleClass().addAll("quiet", "menu-opener");
    menu.setTooltip(new Tooltip(texts.get(ShellText.MENU)));
    menu.setAccessibleText(texts.get(ShellText.MENU));
    menu.getItems().addAll(Menus.build(context.actions(), texts));
    return menu;
  }

  private Button search() {
    Label keys =
        Labels.mono(
            context.actions().find(ShellActions.PALETTE).map(Shortcuts::display).orElse(""));
    keys.getStyleClass().add("search-keys");
    keys.setMinWidth(USE_PREF_SIZE);
    Label prompt = Labels.muted(texts.get(ShellText.SEARCH_PROMPT));
    HBox content = new HBox(Icon.SEARCH.node(), prompt, Labels.gap(), keys);
    content.getStyleClass().add("search-content");
    Button search = new Button("", content);
    search.setId("search");
    search.getStyleClass().add("search-field");
    search.setAccessibleText(texts.get(ShellText.SEARCH_PROMPT));
    search.setOnAction(e -> context.actions().find(ShellActions.PALETTE).ifPresent(Action::run));
    content.prefWidthProperty().bind(search.widthProperty().subtract(22));
    HBox.setHgrow(search, Priority.SOMETIMES);
    return search;
  }

  private Pill role(FrameViewModel model) {
    Pill role = new Pill("", Tone.NEUTRAL);
    role.textProperty().bind(model.roleProperty());
    role.visibleProperty().bind(model.roleProperty().isNotEmpty());
    role.managedProperty().bind(role.visibleProperty());
    role.setMinWidth(USE_PREF_SIZE);
    role.setTooltip(new Tooltip(texts.get(ShellText.ROLE_HINT)));
    return role;
  }

  private Button staged(FrameViewModel model) {
    Button staged = new Button();
    staged.setId("staged-changes");
    staged.getStyleClass().add("pill-button");
    staged.setMinWidth(USE_PREF_SIZE);
    staged.setTooltip(new Tooltip(texts.get(ShellText.STAGED_HINT)));
    staged.setOnAction(
        e -> {
          model.toolProperty().set(ToolPanel.CHANGES);
          model.toolsShownProperty().set(true);
        });
    Runnable follow =
        () -> {
          int count = model.stagedChangesProperty().get();
          staged.setText(texts.get(ShellText.STAGED, count));
          staged.getStyleClass().remove(Tone.ATTENTION.styleClass());
          if (count > 0) {
            staged.getStyleClass().add(Tone.ATTENTION.styleClass());
          }
        };
    model.stagedChangesProperty().addListener(o -> follow.run());
    follow.run();
    return staged;
  }

  private Button themeSwitch() {
    Button button = new Button();
    button.setId("theme-switch");
    button.getStyleClass().add("quiet");
    button.setAccessibleText(texts.get(ShellText.ACTION_THEME));
    button.setTooltip(new Tooltip(texts.get(ShellText.ACTION_THEME)));
    button.setOnAction(e -> context.actions().find(ShellActions.THEME).ifPresent(Action::run));
    Runnable follow =
        () -> {
          boolean dark = context.appearance().theme() == Theme.DARK;
          button.setGraphic((dark ? Icon.LIGHT : Icon.DARK).node());
        };
    context.appearance().themeProperty().addListener(o -> follow.run());
    follow.run();
    return button;
  }

  private void showLive(LiveState state) {
    Tone tone =
        switch (state.kind()) {
          case LIVE -> Tone.GOOD;
          case STALE, DISCONNECTED -> Tone.ATTENTION;
          case MOMENT -> Tone.PLANNED;
        };
    live.setText(
        switch (state.kind()) {
          case LIVE -> texts.get(ShellText.LIVE);
          case STALE -> texts.get(ShellText.LIVE_STALE, state.detail());
          case MOMENT -> texts.get(ShellText.LIVE_MOMENT, state.detail());
          case DISCONNECTED -> texts.get(ShellText.LIVE_NONE);
        });
    live.getStyleClass().setAll("label", "pill", tone.styleClass());
    live.setGraphic(new Dot(tone));
  }
}
