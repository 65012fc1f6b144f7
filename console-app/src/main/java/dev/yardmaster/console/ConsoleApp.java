package dev.yardmaster.console;

import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.connect.ServerConnector;
import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.notice.Notices;
import dev.yardmaster.console.queue.ColumnChoice;
import dev.yardmaster.console.queue.GroupBy;
import dev.yardmaster.console.queue.QueueChoices;
import dev.yardmaster.console.queue.SavedFilters;
import dev.yardmaster.console.shell.Activity;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.FrameViewModel;
import dev.yardmaster.console.shell.Shell;
import dev.yardmaster.console.shell.ShellText;
import dev.yardmaster.console.theme.AccountPalette;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;
import javafx.application.Application;
import javafx.beans.binding.Bindings;
import javafx.geometry.Rectangle2D;
import javafx.scene.Scene;
import javafx.scene.image.Image;
import javafx.stage.Screen;
import javafx.stage.Stage;

/** The console as an application: one window, with the settings of the last time. */
public final class ConsoleApp extends Application {
  private static final Logger LOG = Logger.getLogger(ConsoleApp.class.getName());
  private static final double MIN_WIDTH = 900;
  private static final double MIN_HEIGHT = 600;
  private static final List<Integer> ICON_SIZES = List.of(16, 24, 32, 48, 64, 128, 256);

  private final SettingsFile file = SettingsFile.usual(System::getenv);

  @Override
  public void start(Stage stage) {
    ConsoleOptions options = ConsoleOptions.parse(getParameters().getRaw().toArray(String[]::new));
    Settings settings = file.read();
    ConsoleContext context =
        ConsoleBuilder.context(
            options.theme().orElse(settings.theme()),
            options.fontSize().orElse(settings.fontSize()),
            options.locale().orElseGet(() -> language(settings)),
            Tasks.onVirtualThreads(),
            new AccountPalette(settings.accountColours()));
    Shell shell = ConsoleBuilder.shell(context);
    shell.attach(stage);
    QueueChoices choices =
        new QueueChoices(
            new ColumnChoice(settings.queueColumns()),
            new SavedFilters(settings.savedFilters()),
            GroupBy.ofId(settings.queueGroup()));
    ClusterModel cluster =
        new ClusterModel(
            new ServerConnector(
                options.connect(), options.tokenFile().orElse(null), System::getenv));
    Notices notices = new Notices();
    notices.quietProperty().set(settings.quiet());
    ClusterViews.install(shell, context, cluster, choices, notices);
    restore(shell, settings);
    cluster.open();
    Scene scene = new Scene(shell.root());
    shell.style(scene);
    stage.setScene(scene);
    place(stage, settings.window());
    stage
        .titleProperty()
        .bind(
            Bindings.createStringBinding(
                () -> title(context, shell.model().clusterProperty().get()),
                shell.model().clusterProperty()));
    addIcons(stage);
    stage.setOnHiding(
        e -> {
          keep(settings, stage, shell, context, choices, notices);
          cluster.close();
        });
    stage.show();
  }

  private static Locale language(Settings settings) {
    return settings.language().isEmpty() ? Locale.getDefault() : Locale.of(settings.language());
  }

  private static String title(ConsoleContext context, String cluster) {
    String product = context.texts().get(ShellText.PRODUCT);
    return cluster.isEmpty() ? product : cluster + " – " + product;
  }

  private static void restore(Shell shell, Settings settings) {
    FrameViewModel model = shell.model();
    model.explorerShownProperty().set(settings.explorerShown());
    model.inspectorShownProperty().set(settings.inspectorShown());
    model.toolsShownProperty().set(settings.toolsShown());
    shell.restore(settings.layout());
    if (shell.dock().tabs().isEmpty()) {
      shell.show(Activity.QUEUE);
    }
  }

  private static void place(Stage stage, Settings.Window window) {
    stage.setMinWidth(MIN_WIDTH);
    stage.setMinHeight(MIN_HEIGHT);
    boolean onScreen =
        !Screen.getScreensForRectangle(window.x(), window.y(), window.width(), window.height())
            .isEmpty();
    if (onScreen) {
      stage.setX(window.x());
      stage.setY(window.y());
    }
    Rectangle2D screen = Screen.getPrimary().getVisualBounds();
    stage.setWidth(Math.min(window.width(), screen.getWidth()));
    stage.setHeight(Math.min(window.height(), screen.getHeight()));
    stage.setMaximized(window.maximized());
  }

  private static void addIcons(Stage stage) {
    for (int size : ICON_SIZES) {
      var icon = ConsoleApp.class.getResourceAsStream("/icons/yardmaster-" + size + ".png");
      if (icon != null) {
        stage.getIcons().add(new Image(icon));
      }
    }
  }

  private void keep(
      Settings before,
      Stage stage,
      Shell shell,
      ConsoleContext context,
      QueueChoices choices,
      Notices notices) {
    FrameViewModel model = shell.model();
    boolean plain = !stage.isMaximized() && !stage.isFullScreen();
    Settings.Window window =
        plain
            ? new Settings.Window(
                stage.getX(), stage.getY(), stage.getWidth(), stage.getHeight(), false)
            : new Settings.Window(
                before.window().x(),
                before.window().y(),
                before.window().width(),
                before.window().height(),
                true);
    try {
      file.write(
          new Settings(
              context.appearance().theme(),
              context.appearance().fontSizeProperty().get(),
              before.language(),
              window,
              model.explorerShownProperty().get(),
              model.inspectorShownProperty().get(),
              model.toolsShownProperty().get(),
              shell.dock().layout(),
              choices.columns().ids(),
              context.accounts().given(),
              choices.filters().filtersProperty().get(),
              choices.groupByProperty().get().id(),
              notices.quietProperty().get()));
    } catch (UncheckedIOException e) {
      LOG.log(Level.WARNING, "the settings of this window are lost", e);
    }
  }
}
