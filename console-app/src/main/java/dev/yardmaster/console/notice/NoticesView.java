package dev.yardmaster.console.notice;

import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Dot;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.shell.Item;
import java.util.function.Consumer;
import javafx.geometry.Pos;
import javafx.scene.AccessibleRole;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/** The notices in the lower right corner of the window; the rest of it stays usable. */
public final class NoticesView extends VBox {
  private final Notices notices;
  private final Texts texts;
  private final Consumer<Item> open;
  private final Runnable openEvents;

  /**
   * A view.
   *
   * @param open opens what a notice is about
   * @param openEvents shows all events
   */
  public NoticesView(Notices notices, Texts texts, Consumer<Item> open, Runnable openEvents) {
    this.notices = notices;
    this.texts = texts;
    this.open = open;
    this.openEvents = openEvents;
    getStyleClass().add("notices");
    setPickOnBounds(false);
    setMaxSize(USE_PREF_SIZE, USE_PREF_SIZE);
    StackPane.setAlignment(this, Pos.BOTTOM_RIGHT);
    notices.shownProperty().addListener(o -> show());
    show();
  }

  private void show() {
    getChildren().setAll(notices.shownProperty().get().stream().map(this::card).toList());
    int more = notices.foldedProperty().get();
    if (more > 0) {
      Hyperlink all = new Hyperlink(texts.get(NoticeText.MORE, more));
      all.getStyleClass().add("notice-more");
      all.setOnAction(
          e -> {
            notices.dismissAll();
            openEvents.run();
          });
      getChildren().add(all);
    }
    setVisible(!getChildren().isEmpty());
  }

  private HBox card(Notice notice) {
    Label text = Labels.wrapping(notice.text());
    text.setMaxWidth(Double.MAX_VALUE);
    HBox.setHgrow(text, Priority.ALWAYS);
    HBox card = new HBox(new Dot(notice.tone()), text);
    card.getStyleClass().addAll("notice", notice.tone().styleClass());
    card.setAccessibleRole(AccessibleRole.TEXT);
    card.setAccessibleText(notice.text());
    Item target = notice.target();
    if (target != null) {
      Button show = new Button(texts.get(NoticeText.OPEN));
      show.setMinWidth(USE_PREF_SIZE);
      show.setOnAction(
          e -> {
            notices.dismiss(notice);
            open.accept(target);
          });
      card.getChildren().add(show);
    }
    Button close = new Button("", Icon.CLOSE.node());
    close.getStyleClass().add("quiet");
    close.setAccessibleText(texts.get(NoticeText.DISMISS));
    close.setTooltip(new Tooltip(texts.get(NoticeText.DISMISS)));
    close.setOnAction(e -> notices.dismiss(notice));
    card.getChildren().add(close);
    return card;
  }
}
