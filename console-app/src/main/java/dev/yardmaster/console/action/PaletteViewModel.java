package dev.yardmaster.console.action;

import dev.yardmaster.console.fx.Latest;
import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.i18n.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/**
 * The palette without its controls: what is asked and what was found. Entries are gathered when it
 * opens; searching happens in the background and only the newest query counts.
 */
public final class PaletteViewModel {
  /** How many finds are listed. */
  public static final int LIMIT = 50;

  private final Actions actions;
  private final Texts texts;
  private final Tasks tasks;
  private final Latest search;
  private final List<Supplier<List<PaletteEntry>>> sources = new ArrayList<>();
  private final BooleanProperty open = new SimpleBooleanProperty();
  private final StringProperty query = new SimpleStringProperty("");
  private final ReadOnlyObjectWrapper<List<PaletteMatch>> matches =
      new ReadOnlyObjectWrapper<>(List.of());
  private PaletteIndex index = new PaletteIndex(List.of());

  public PaletteViewModel(Actions actions, Texts texts, Tasks tasks) {
    this.actions = actions;
    this.texts = texts;
    this.tasks = tasks;
    search = new Latest(tasks);
    query.addListener(o -> refresh());
  }

  /**
   * Adds a source of entries, such as the jobs of the cluster. It is asked in the background each
   * time the palette opens, and must return a list that does not change.
   */
  public void addSource(Supplier<List<PaletteEntry>> source) {
    sources.add(source);
  }

  /** Opens the palette with an empty query. */
  public void open() {
    query.set("");
    List<PaletteEntry> commands = commands();
    index = new PaletteIndex(commands);
    open.set(true);
    refresh();
    List<Supplier<List<PaletteEntry>>> asked = List.copyOf(sources);
    if (!asked.isEmpty()) {
      tasks
          .quietly(p -> new PaletteIndex(all(commands, asked)))
          .onSuccess(
              complete -> {
                index = complete;
                refresh();
              });
    }
  }

  /** Closes the palette. */
  public void close() {
    open.set(false);
  }

  /** Closes the palette and does what the entry stands for. */
  public void choose(PaletteMatch match) {
    close();
    match.entry().open().run();
  }

  public BooleanProperty openProperty() {
    return open;
  }

  public StringProperty queryProperty() {
    return query;
  }

  /** The finds, the best first. */
  public ReadOnlyObjectProperty<List<PaletteMatch>> matchesProperty() {
    return matches.getReadOnlyProperty();
  }

  private void refresh() {
    String asked = query.get();
    PaletteIndex searched = index;
    search.run(p -> searched.search(asked, LIMIT), matches::set);
  }

  private List<PaletteEntry> commands() {
    List<PaletteEntry> commands = new ArrayList<>();
    for (Action action : actions.all()) {
      if (action.enabled().get()) {
        commands.add(
            new PaletteEntry(
                PaletteKind.COMMAND,
                texts.get(action.text()),
                texts.get(action.menu().text()),
                Shortcuts.display(action),
                action::run));
      }
    }
    return commands;
  }

  private static List<PaletteEntry> all(
      List<PaletteEntry> commands, List<Supplier<List<PaletteEntry>>> sources) {
    List<PaletteEntry> all = new ArrayList<>(commands);
    for (Supplier<List<PaletteEntry>> source : sources) {
      all.addAll(source.get());
    }
    return all;
  }
}
