package dev.yardmaster.console.shell;

import dev.yardmaster.console.action.Action;
import dev.yardmaster.console.action.Menus;
import dev.yardmaster.console.action.PaletteViewModel;
import dev.yardmaster.console.dock.DockArea;
import dev.yardmaster.console.dock.DockLayout;
import dev.yardmaster.console.dock.EditorTab;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.EmptyState;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.NextStep;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.MenuBar;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.stage.Stage;
import org.jspecify.annotations.Nullable;

/**
 * The window: everything around the views, and the way for them to be opened. To be used on the
 * JavaFX thread.
 *
 * <p>A view package registers how the main tab of its activity is made ({@link #setMainTab}), opens
 * further tabs through {@link #open}, and tells the frame what to show by {@link #model}.
 */
public final class Shell {
  private final ConsoleContext context;
  private final FrameViewModel model;
  private final Texts texts;
  private final DockArea dock;
  private final PaletteViewModel palette;
  private final Map<Activity, Supplier<EditorTab>> mainTabs = new EnumMap<>(Activity.class);
  private final List<Consumer<Item>> openers = new ArrayList<>();
  private final TopBar topBar;
  private final ToolArea tools;
  private final StackPane root = new StackPane();
  private final FramePanes panes;

  public Shell(ConsoleContext context, FrameViewModel model) {
    this.context = context;
    this.model = model;
    texts = context.texts();
    palette = new PaletteViewModel(context.actions(), texts, context.tasks());
    dock = new DockArea(texts, noTab(), this::style);
    ShellActions.register(this, context, model);
    topBar = new TopBar(context, model);
    NextStep queue = new NextStep(texts.get(ShellText.LATER_STEP), () -> show(Activity.QUEUE));
    NextStep policy = new NextStep(texts.get(ShellText.POLICY), () -> show(Activity.POLICY));
    tools = new ToolArea(context, model, queue, policy);
    panes =
        new FramePanes(
            context,
            model,
            new Explorer(context, model, search(), this::openItem),
            dock.node(),
            tools,
            new Inspector(context, model, queue, this::openItem));
    HBox middle = new HBox(new ActivityBar(context, model, this::show), panes);
    HBox.setHgrow(panes, Priority.ALWAYS);
    VBox.setVgrow(middle, Priority.ALWAYS);
    VBox frame = new VBox(menuBar(), topBar, middle, new StatusBar(context, model));
    frame.getStyleClass().add("frame");
    root.getChildren().addAll(frame, new PaletteView(palette, texts));
    dock.activeProperty().addListener((o, was, now) -> follow(now));
    model.clusterProperty().addListener(o -> showPlace());
    showPlace();
  }

  /** The content of the window's scene. */
  public Parent root() {
    return root;
  }

  /** Gives a scene the look and the shortcuts of the console. */
  public void style(Scene scene) {
    context.appearance().style(scene);
    context.actions().install(scene);
  }

  /** Adds the actions that need the window. */
  public void attach(Stage stage) {
    ShellActions.registerWindow(context.actions(), stage);
  }

  /** What the frame shows. */
  public FrameViewModel model() {
    return model;
  }

  /** The tabs of the centre. */
  public DockArea dock() {
    return dock;
  }

  /** The palette; add sources of entries to it. */
  public PaletteViewModel palette() {
    return palette;
  }

  /** Says how the main tab of an activity is made; its id must be the activity's. */
  public void setMainTab(Activity activity, Supplier<EditorTab> tab) {
    mainTabs.put(activity, tab);
  }

  /**
   * Adds what happens when the user opens an item from the explorer or the inspector. An opener
   * ignores items that are not its own.
   */
  public void addOpener(Consumer<Item> opener) {
    openers.add(opener);
  }

  /** Opens an item as if the user had chosen it in the explorer. */
  public void openItem(Item item) {
    model.selectionProperty().set(item);
    for (Consumer<Item> opener : openers) {
      opener.accept(item);
    }
  }

  /** Lays something over the frame, below the palette. */
  public void addOverlay(Node overlay) {
    root.getChildren().add(root.getChildren().size() - 1, overlay);
  }

  /** Shows a panel below the centre. */
  public void show(ToolPanel panel) {
    model.toolProperty().set(panel);
    model.toolsShownProperty().set(true);
  }

  /** Replaces what a panel below the centre shows. */
  public void setToolContent(ToolPanel panel, Node content) {
    tools.setContent(panel, content);
  }

  /** Shows the main tab of an activity, or what it will bring when it has none yet. */
  public void show(Activity activity) {
    model.activityProperty().set(activity);
    dock.find(activity.id())
        .ifPresentOrElse(tab -> dock.select(tab.id()), () -> dock.open(mainTab(activity)));
  }

  /** Opens the tabs of activities as they were when {@link DockArea#layout} told them. */
  public void restore(DockLayout layout) {
    dock.restore(
        layout,
        id -> {
          Activity activity = Activity.ofTab(id).orElse(null);
          return activity == null || !activity.id().equals(id) ? null : mainTab(activity);
        });
  }

  /** Opens a tab or selects the one with its id. */
  public void open(EditorTab tab) {
    dock.open(tab);
  }

  /** Opens the table of keyboard shortcuts. */
  void showShortcuts() {
    String title = texts.get(ShellText.SHORTCUTS_TITLE);
    dock.open(
        new EditorTab(
            "shortcuts", Icon.COMMAND, title, List.of(title), ShortcutsPage.build(context)));
  }

  private EditorTab mainTab(Activity activity) {
    return mainTabs.getOrDefault(activity, () -> laterTab(activity)).get();
  }

  private EditorTab laterTab(Activity activity) {
    String name = texts.get(activity.text());
    NextStep queue = new NextStep(texts.get(ShellText.LATER_STEP), () -> show(Activity.QUEUE));
    return new EditorTab(
        activity.id(),
        activity.icon(),
        name,
        List.of(name),
        LaterPage.build(activity, texts, queue, search()));
  }

  private Node noTab() {
    return new EmptyState(
        Icon.OVERVIEW,
        texts.get(ShellText.CENTRE_EMPTY),
        texts.get(ShellText.CENTRE_EMPTY_TEXT),
        search());
  }

  private NextStep search() {
    return new NextStep(
        texts.get(ShellText.SEARCH_STEP),
        () -> context.actions().find(ShellActions.PALETTE).ifPresent(Action::run));
  }

  private MenuBar menuBar() {
    MenuBar bar = new MenuBar();
    bar.getMenus().addAll(Menus.build(context.actions(), texts));
    bar.visibleProperty().bind(model.menuBarShownProperty());
    bar.managedProperty().bind(model.menuBarShownProperty());
    return bar;
  }

  private void follow(@Nullable EditorTab tab) {
    if (tab != null) {
      Activity.ofTab(tab.id()).ifPresent(model.activityProperty()::set);
      tab.placeProperty().addListener(o -> showPlace());
    }
    showPlace();
  }

  private void showPlace() {
    List<String> names = new ArrayList<>();
    String cluster = model.clusterProperty().get();
    if (!cluster.isEmpty()) {
      names.add(texts.get(ShellText.CLUSTER, cluster));
    }
    EditorTab tab = dock.activeProperty().get();
    if (tab != null) {
      names.addAll(tab.placeProperty().get());
    }
    topBar.showPlace(names);
  }
}
