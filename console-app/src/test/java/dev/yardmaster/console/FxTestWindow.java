package dev.yardmaster.console;

import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.Shell;
import dev.yardmaster.console.theme.Appearance;
import dev.yardmaster.console.theme.Theme;
import java.util.Locale;
import javafx.scene.Scene;
import javafx.stage.Stage;

/**
 * The console in a window of a test.
 *
 * @param context what its views get
 * @param shell its frame
 */
public record FxTestWindow(ConsoleContext context, Shell shell) {
  /** Opens the window; the largest size that the headless screen paints is 1000 by 1000. */
  public static FxTestWindow open(Stage stage, double width, double height) {
    ConsoleContext context =
        ConsoleBuilder.context(
            Theme.DARK, Appearance.DEFAULT_FONT_SIZE, Locale.ENGLISH, Tasks.onVirtualThreads());
    Shell shell = ConsoleBuilder.shell(context);
    shell.attach(stage);
    Scene scene = new Scene(shell.root(), width, height);
    shell.style(scene);
    stage.setScene(scene);
    stage.show();
    return new FxTestWindow(context, shell);
  }
}
