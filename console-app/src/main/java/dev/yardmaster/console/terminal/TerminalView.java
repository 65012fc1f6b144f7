package dev.yardmaster.console.terminal;

import com.techsenger.jeditermfx.core.model.hyperlinks.LinkInfo;
import com.techsenger.jeditermfx.core.model.hyperlinks.LinkResult;
import com.techsenger.jeditermfx.core.model.hyperlinks.LinkResultItem;
import com.techsenger.jeditermfx.ui.JediTermFxWidget;
import dev.yardmaster.console.action.Actions;
import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.fx.BackgroundTask;
import dev.yardmaster.console.fx.Fx;
import dev.yardmaster.console.kit.EmptyState;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.NextStep;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.Item;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javafx.scene.layout.StackPane;
import org.jspecify.annotations.Nullable;

/**
 * The terminal below the centre. It begins when it is first seen, so that a console that never
 * shows it starts none of its threads; another theme or size of text begins it anew.
 */
public final class TerminalView extends StackPane {
  private final ConsoleContext context;
  private final ClusterModel cluster;
  private final Supplier<SlurmCommands> finder;
  private final Consumer<Item> open;
  private final TerminalLinks links = new TerminalLinks();
  private @Nullable JediTermFxWidget widget;
  private @Nullable BackgroundTask<SlurmCommands> looking;
  private boolean seen;
  private boolean wanted;

  /**
   * A view.
   *
   * @param environment the variables that lead Slurm's commands to the cluster
   * @param open opens a job or node that the output names
   */
  public TerminalView(
      ConsoleContext context,
      ClusterModel cluster,
      Supplier<Map<String, String>> environment,
      Consumer<Item> open) {
    this(context, cluster, open, () -> SlurmCommands.find(environment.get()));
  }

  /**
   * A view with other commands.
   *
   * @param finder looks for the commands; not called on the JavaFX thread
   */
  TerminalView(
      ConsoleContext context,
      ClusterModel cluster,
      Consumer<Item> open,
      Supplier<SlurmCommands> finder) {
    this.context = context;
    this.cluster = cluster;
    this.finder = finder;
    this.open = open;
    getStyleClass().add("terminal");
    getProperties().put(Actions.KEEPS_KEYS, true);
    sceneProperty().addListener((o, was, now) -> first());
    context.appearance().themeProperty().addListener(o -> again());
    context.appearance().fontSizeProperty().addListener(o -> again());
  }

  /** Ends what runs in it. */
  public void close() {
    BackgroundTask<SlurmCommands> search = looking;
    if (search != null) {
      looking = null;
      search.cancel();
    }
    JediTermFxWidget old = widget;
    if (old != null) {
      widget = null;
      old.close();
    }
  }

  /** The lines on the screen, for tests. */
  String screen() {
    JediTermFxWidget shown = widget;
    return shown == null ? "" : shown.getTerminalTextBuffer().getScreenLines();
  }

  /** Puts the cursor into it, as soon as it is there. */
  void focus() {
    JediTermFxWidget shown = widget;
    wanted = shown == null;
    if (shown != null) {
      shown.getTerminalPanel().getCanvas().requestFocus();
    }
  }

  private void first() {
    if (!seen && getScene() != null) {
      seen = true;
      begin();
    }
  }

  private void again() {
    if (seen) {
      begin();
    }
  }

  private void begin() {
    close();
    // Folders on the PATH may be far away and slow.
    looking = context.tasks().quietly(progress -> finder.get()).onSuccess(this::begin);
  }

  private void begin(SlurmCommands commands) {
    looking = null;
    if (commands.names().isEmpty()) {
      EmptyState none =
          new EmptyState(
              Icon.TERMINAL,
              context.texts().get(TerminalText.NO_COMMANDS_TITLE),
              context.texts().get(TerminalText.NO_COMMANDS_TEXT),
              new NextStep(context.texts().get(TerminalText.TRY_AGAIN), this::begin));
      none.getStyleClass().add("compact");
      getChildren().setAll(none);
      return;
    }
    Completions completions = new Completions(commands.names(), commands::options);
    JediTermFxWidget fresh =
        new JediTermFxWidget(
            new TerminalLook(
                context.appearance().theme(), context.appearance().fontSizeProperty().get()));
    fresh.addHyperlinkFilter(this::links);
    fresh.setTtyConnector(
        new SlurmTty(commands, context.texts(), line -> completions.of(line, cluster.latest())));
    widget = fresh;
    getChildren().setAll(fresh.getPane());
    fresh.start();
    if (wanted) {
      focus();
    }
  }

  private @Nullable LinkResult links(String line) {
    List<LinkResultItem> items =
        links.of(line, cluster.latest()).stream()
            .map(
                link ->
                    new LinkResultItem(
                        link.start(),
                        link.end(),
                        new LinkInfo(() -> Fx.run(() -> open.accept(link.target())))))
            .toList();
    return items.isEmpty() ? null : new LinkResult(items);
  }
}
