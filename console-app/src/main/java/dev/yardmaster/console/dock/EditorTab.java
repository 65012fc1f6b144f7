package dev.yardmaster.console.dock;

import dev.yardmaster.console.kit.Icon;
import java.util.List;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.scene.Node;

/** One tab of the centre: a view of something, with the place where the user is then. */
public final class EditorTab {
  private final String id;
  private final Icon icon;
  private final Node content;
  private final StringProperty title = new SimpleStringProperty(this, "title", "");
  private final ObjectProperty<List<String>> place =
      new SimpleObjectProperty<>(this, "place", List.of());
  private Runnable onClosed = () -> {};

  /**
   * A tab.
   *
   * @param id unique and stable, for example {@code why/4711}; opening the same id again selects
   *     the tab that is there
   * @param title what the tab shows
   * @param place where the user is in this tab, the outermost first, without the cluster; for
   *     example {@code Queue, 4711, Why pending}
   */
  public EditorTab(String id, Icon icon, String title, List<String> place, Node content) {
    this.id = id;
    this.icon = icon;
    this.content = content;
    this.title.set(title);
    this.place.set(List.copyOf(place));
  }

  public String id() {
    return id;
  }

  public Icon icon() {
    return icon;
  }

  public Node content() {
    return content;
  }

  public StringProperty titleProperty() {
    return title;
  }

  /** Where the user is in this tab; shown in the top bar while the tab is active. */
  public ObjectProperty<List<String>> placeProperty() {
    return place;
  }

  /** Sets what to release when the user closes the tab. */
  public EditorTab onClosed(Runnable release) {
    onClosed = release;
    return this;
  }

  void closed() {
    onClosed.run();
  }
}
