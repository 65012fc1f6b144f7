package dev.yardmaster.console.shell;

import dev.yardmaster.console.action.Actions;
import dev.yardmaster.console.action.Shortcuts;
import dev.yardmaster.console.i18n.Texts;
import java.util.function.Consumer;
import javafx.scene.AccessibleRole;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.VBox;

/** The column of activities at the left edge. */
final class ActivityBar extends VBox {
  ActivityBar(ConsoleContext context, FrameViewModel model, Consumer<Activity> show) {
    Texts texts = context.texts();
    getStyleClass().add("activity-bar");
    setAccessibleRole(AccessibleRole.TOOL_BAR);
    setAccessibleText(texts.get(ShellText.ACTIVITIES));
    for (Activity activity : Activity.values()) {
      ToggleButton button = new ToggleButton("", activity.icon().node());
      button.setId("activity-" + activity.id());
      button.getStyleClass().add("activity");
      String name = texts.get(activity.text());
      button.setAccessibleText(name);
      button.setTooltip(new Tooltip(name + "  " + keys(context.actions(), activity)));
      button.setSelected(model.activityProperty().get() == activity);
      button.setOnAction(
          e -> {
            // A toggle of the activity that is lit already must not put its light out.
            button.setSelected(true);
            show.accept(activity);
          });
      model.activityProperty().addListener((o, was, now) -> button.setSelected(now == activity));
      getChildren().add(button);
    }
  }

  private static String keys(Actions actions, Activity activity) {
    return actions.find(ShellActions.go(activity)).map(Shortcuts::display).orElse("");
  }
}
