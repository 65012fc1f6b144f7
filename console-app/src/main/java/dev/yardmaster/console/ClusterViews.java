package dev.yardmaster.console;

import dev.yardmaster.console.action.Action;
import dev.yardmaster.console.action.MenuPlace;
import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.connect.ClusterPane;
import dev.yardmaster.console.connect.CommandEnvironment;
import dev.yardmaster.console.connect.Derived;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.ReasonLog;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.dock.EditorTab;
import dev.yardmaster.console.events.ClusterEvent;
import dev.yardmaster.console.events.EventLog;
import dev.yardmaster.console.events.EventsView;
import dev.yardmaster.console.explorer.ExplorerWriter;
import dev.yardmaster.console.i18n.TextKey;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.inspector.InspectorViewModel;
import dev.yardmaster.console.inspector.InspectorWriter;
import dev.yardmaster.console.kit.ClipboardText;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.nodes.NodesText;
import dev.yardmaster.console.nodes.NodesView;
import dev.yardmaster.console.nodes.NodesViewModel;
import dev.yardmaster.console.notice.Notice;
import dev.yardmaster.console.notice.NoticeText;
import dev.yardmaster.console.notice.Notices;
import dev.yardmaster.console.notice.NoticesView;
import dev.yardmaster.console.overview.Overview;
import dev.yardmaster.console.overview.OverviewCounter;
import dev.yardmaster.console.overview.OverviewView;
import dev.yardmaster.console.problems.Problem;
import dev.yardmaster.console.problems.ProblemsView;
import dev.yardmaster.console.problems.ProblemsWriter;
import dev.yardmaster.console.queue.JobActions;
import dev.yardmaster.console.queue.JobDialog;
import dev.yardmaster.console.queue.JobQuestion;
import dev.yardmaster.console.queue.JobSelection;
import dev.yardmaster.console.queue.QueueChoices;
import dev.yardmaster.console.queue.QueueExport;
import dev.yardmaster.console.queue.QueueText;
import dev.yardmaster.console.queue.QueueView;
import dev.yardmaster.console.queue.QueueViewModel;
import dev.yardmaster.console.shell.Activity;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.ExplorerItem;
import dev.yardmaster.console.shell.FrameViewModel;
import dev.yardmaster.console.shell.Item;
import dev.yardmaster.console.shell.Shell;
import dev.yardmaster.console.shell.ToolPanel;
import dev.yardmaster.console.status.StatusViewModel;
import dev.yardmaster.console.status.StatusWriter;
import dev.yardmaster.console.terminal.TerminalView;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.console.why.WhyTab;
import dev.yardmaster.console.why.WhyView;
import dev.yardmaster.console.why.WhyViewModel;
import dev.yardmaster.explain.Words;
import dev.yardmaster.model.Job;
import java.io.File;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javafx.beans.property.ObjectProperty;
import javafx.scene.Node;
import javafx.stage.FileChooser;
import org.jspecify.annotations.Nullable;

/** Puts the views of a cluster into the frame. To be used on the JavaFX thread. */
public final class ClusterViews {
  /** The tab of the table of nodes. */
  public static final String NODES_TAB = "topology/nodes";

  private static final List<String> SHEETS =
      List.of("queue", "why", "overview", "nodes").stream()
          .map(name -> "/dev/yardmaster/console/" + name + "/" + name + ".css")
          .toList();

  private final Shell shell;
  private final ConsoleContext context;
  private final ClusterModel cluster;
  private final Texts texts;
  private final FrameViewModel frame;
  private final Terms terms;
  private final ObjectProperty<@Nullable Item> selection;
  private final QueueChoices choices;
  private final QueueViewModel queue;
  private final JobSelection jobs;
  private final JobActions jobActions;
  private final Notices notices;
  private final ReasonLog reasons = new ReasonLog();
  private final WhyViewModel why;
  private final NodesViewModel nodes;
  private final Derived<Optional<Overview>> overview;

  private ClusterViews(
      Shell shell,
      ConsoleContext context,
      ClusterModel cluster,
      QueueChoices choices,
      Notices notices) {
    this.notices = notices;
    this.choices = choices;
    this.shell = shell;
    this.context = context;
    this.cluster = cluster;
    texts = context.texts();
    frame = shell.model();
    terms = new Terms(texts, context.formats());
    selection = frame.selectionProperty();
    // First of all listeners, so that every view finds the colours given already.
    cluster.snapshotProperty().addListener((o, was, snapshot) -> giveColours(snapshot));
    giveColours(cluster.snapshot());
    Words words = Words.of(texts.locale(), context.formats().zone());
    queue = new QueueViewModel(cluster, selection, terms, context.tasks());
    queue.grouping().byProperty().bindBidirectional(choices.groupByProperty());
    jobs = new JobSelection(cluster, selection);
    jobActions = new JobActions(jobs, terms, this::ask);
    why = new WhyViewModel(cluster, selection, terms, words, context.tasks());
    nodes = new NodesViewModel(cluster, selection, terms, context.tasks());
    overview =
        new Derived<>(
            cluster,
            context.tasks(),
            Optional.empty(),
            snapshot -> Optional.of(OverviewCounter.count(snapshot)));
  }

  /** Registers the views of {@code cluster}; to be called once. */
  public static ClusterViews install(
      Shell shell,
      ConsoleContext context,
      ClusterModel cluster,
      QueueChoices choices,
      Notices notices) {
    SHEETS.forEach(context.appearance()::addSheet);
    ClusterViews views = new ClusterViews(shell, context, cluster, choices, notices);
    shell.setMainTab(Activity.OVERVIEW, views::overviewTab);
    shell.setMainTab(Activity.QUEUE, views::queueTab);
    shell.setMainTab(Activity.WHY, views::whyTab);
    shell.addOpener(views::open);
    views.fillFrame();
    views.watchEvents();
    views.addActions();
    return views;
  }

  /** Registers the views of {@code cluster} with the standard columns; to be called once. */
  public static ClusterViews install(Shell shell, ConsoleContext context, ClusterModel cluster) {
    return install(shell, context, cluster, QueueChoices.standard(), new Notices());
  }

  /** The cluster that is shown. */
  public ClusterModel cluster() {
    return cluster;
  }

  /** The queue. */
  public QueueViewModel queue() {
    return queue;
  }

  /** The explanation of the selected job. */
  public WhyViewModel why() {
    return why;
  }

  private void giveColours(@Nullable Snapshot snapshot) {
    if (snapshot != null) {
      context.accounts().know(snapshot.accounts());
      choices.columns().suit(snapshot.unit());
    }
  }

  private void fillFrame() {
    ExplorerWriter explorer = new ExplorerWriter(terms);
    Derived<List<ExplorerItem>> tree =
        new Derived<>(cluster, context.tasks(), List.of(), explorer::tree);
    frame.explorerProperty().bind(tree.valueProperty());
    new InspectorViewModel(
        cluster,
        selection,
        frame.inspectionProperty(),
        new InspectorWriter(terms, context.accounts(), reasons),
        context.tasks());
    new StatusViewModel(cluster, frame, new StatusWriter(terms));
    ProblemsWriter writer = new ProblemsWriter(terms);
    Derived<Optional<List<Problem>>> problems =
        new Derived<>(
            cluster,
            context.tasks(),
            Optional.empty(),
            snapshot -> Optional.of(writer.problems(snapshot)));
    problems
        .valueProperty()
        .addListener(
            (o, was, now) ->
                frame.countProperty(ToolPanel.PROBLEMS).set(now.map(List::size).orElse(0)));
    shell.setToolContent(
        ToolPanel.PROBLEMS,
        new ProblemsView(
            context, problems, selection::set, this::open, () -> shell.show(Activity.QUEUE)));
    shell.palette().addSource(new ClusterPalette(cluster, terms, shell::openItem)::entries);
  }

  private void ask(JobQuestion question) {
    JobDialog.ask(
        question,
        context,
        shell.root().getScene().getWindow(),
        agreed -> queue.send(agreed.command()));
  }

  private void watchEvents() {
    EventLog log = new EventLog(cluster, context.tasks(), terms, reasons, this::tell);
    shell.setToolContent(
        ToolPanel.EVENTS,
        new EventsView(
            context,
            log,
            notices.quietProperty(),
            selection::set,
            () -> shell.show(Activity.QUEUE)));
    shell.setToolContent(
        ToolPanel.TERMINAL,
        new TerminalView(
            context,
            cluster,
            () -> CommandEnvironment.of(cluster.link().endpoint()),
            shell::openItem));
    queue.noticeProperty().addListener((o, was, now) -> tell(now));
    shell.addOverlay(
        new NoticesView(notices, texts, shell::openItem, () -> shell.show(ToolPanel.EVENTS)));
  }

  private void tell(ClusterEvent event) {
    notices.offer(new Notice(event.id(), event.time(), event.tone(), event.text(), event.target()));
  }

  /** What became of a command is told in the queue; somewhere else it needs a notice. */
  private void tell(QueueViewModel.@Nullable Notice end) {
    EditorTab active = shell.dock().activeProperty().get();
    if (end != null && (active == null || !active.id().equals(Activity.QUEUE.id()))) {
      notices.offer(new Notice("command", Instant.now(), end.tone(), end.text(), null));
    }
  }

  private void addActions() {
    context
        .actions()
        .add(
            Action.of("queue.export", QueueText.ACTION_EXPORT, MenuPlace.FILE, this::export)
                .keys("Shortcut+S"),
            Action.of(
                "queue.copy", QueueText.ACTION_COPY_MARKDOWN, MenuPlace.FILE, this::copyQueue));
    jobActions.register(context.actions(), job -> shell.openItem(Items.job(job)));
    context
        .actions()
        .add(
            Action.of("go.nodes", NodesText.ACTION, MenuPlace.GO, this::showNodes)
                .keys("Shortcut+Shift+N")
                .icon(Icon.NODE),
            Action.of(
                    "view.quiet",
                    NoticeText.ACTION_QUIET,
                    MenuPlace.VIEW,
                    () -> notices.quietProperty().set(!notices.quietProperty().get()))
                .keys("Shortcut+Shift+D")
                .showing(notices.quietProperty()));
  }

  private QueueExport exporter() {
    return new QueueExport(terms, List.copyOf(choices.columns().shownProperty().get()));
  }

  private void export() {
    FileChooser chooser = new FileChooser();
    chooser.setInitialFileName(texts.get(QueueText.EXPORT_NAME));
    chooser
        .getExtensionFilters()
        .setAll(
            new FileChooser.ExtensionFilter("CSV", "*.csv"),
            new FileChooser.ExtensionFilter("JSON", "*.json"),
            new FileChooser.ExtensionFilter("Markdown", "*.md"));
    File file = chooser.showSaveDialog(shell.root().getScene().getWindow());
    if (file != null) {
      queue.export(exporter(), file.toPath());
    }
  }

  private void copyQueue() {
    List<Job> shown = queue.rows().rowsProperty().get();
    ClipboardText.put(
        exporter().text(QueueExport.Format.MARKDOWN, shown, cluster.nowProperty().get()));
  }

  private EditorTab overviewTab() {
    return tab(
        Activity.OVERVIEW.id(),
        Activity.OVERVIEW.icon(),
        Activity.OVERVIEW.text(),
        new OverviewView(
            context, overview, cluster.nowProperty(), shell::openItem, this::openQueue));
  }

  private EditorTab queueTab() {
    QueueView view =
        new QueueView(
            context, queue, choices, jobs, jobActions, job -> shell.openItem(Items.job(job)));
    return tab(Activity.QUEUE.id(), Activity.QUEUE.icon(), Activity.QUEUE.text(), view);
  }

  private EditorTab whyTab() {
    WhyView view = new WhyView(context, why, () -> shell.show(Activity.QUEUE));
    return WhyTab.build(context, why, new ClusterPane(context, cluster, view));
  }

  private EditorTab tab(String id, Icon icon, TextKey name, Node view) {
    String title = texts.get(name);
    return new EditorTab(id, icon, title, List.of(title), new ClusterPane(context, cluster, view));
  }

  private void showNodes() {
    if (shell.dock().find(NODES_TAB).isPresent()) {
      shell.dock().select(NODES_TAB);
    } else {
      shell.open(tab(NODES_TAB, Icon.NODE, NodesText.TITLE, new NodesView(context, nodes)));
    }
  }

  private void open(Item item) {
    switch (item.kind()) {
      case JOB -> shell.show(Activity.WHY);
      case NODE -> showNodes();
      case PARTITION -> openQueue("partition:" + item.name());
      case ACCOUNT -> openQueue("account:" + item.name());
      case USER -> openQueue("user:" + item.name());
      default -> {}
    }
  }

  private void open(Problem problem) {
    if (problem.filter().isEmpty()) {
      shell.openItem(problem.target());
    } else {
      openQueue(problem.filter());
    }
  }

  private void openQueue(String filter) {
    queue.filterProperty().set(filter);
    shell.show(Activity.QUEUE);
  }
}
