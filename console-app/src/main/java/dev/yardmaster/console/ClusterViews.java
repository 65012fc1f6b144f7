package dev.yardmaster.console;

import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.connect.ClusterPane;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.dock.EditorTab;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.queue.ColumnChoice;
import dev.yardmaster.console.queue.QueueModel;
import dev.yardmaster.console.queue.QueueView;
import dev.yardmaster.console.shell.Activity;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.Item;
import dev.yardmaster.console.shell.Shell;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.console.why.WhyModel;
import dev.yardmaster.console.why.WhyTab;
import dev.yardmaster.console.why.WhyView;
import dev.yardmaster.explain.Words;
import java.util.List;
import javafx.beans.property.ObjectProperty;
import org.jspecify.annotations.Nullable;

/** Puts the views of a cluster into the frame. */
public final class ClusterViews {
  private static final List<String> SHEETS =
      List.of("/dev/yardmaster/console/queue/queue.css", "/dev/yardmaster/console/why/why.css");

  private final Shell shell;
  private final ConsoleContext context;
  private final ClusterModel cluster;
  private final Texts texts;
  private final QueueModel queue;
  private final WhyModel why;

  private ClusterViews(Shell shell, ConsoleContext context, ClusterModel cluster) {
    this.shell = shell;
    this.context = context;
    this.cluster = cluster;
    texts = context.texts();
    Terms terms = new Terms(texts, context.formats());
    Words words = Words.of(texts.locale(), context.formats().zone());
    ObjectProperty<@Nullable Item> selection = shell.model().selectionProperty();
    queue = new QueueModel(cluster, selection, terms, context.tasks());
    why = new WhyModel(cluster, selection, terms, words, context.tasks());
  }

  /** Registers the views of {@code cluster}; to be called once on the JavaFX thread. */
  public static void install(Shell shell, ConsoleContext context, ClusterModel cluster) {
    SHEETS.forEach(context.appearance()::addSheet);
    ClusterViews views = new ClusterViews(shell, context, cluster);
    shell.setMainTab(Activity.QUEUE, views::queueTab);
    shell.setMainTab(Activity.WHY, views::whyTab);
    shell.addOpener(views::open);
  }

  private EditorTab queueTab() {
    QueueView view =
        new QueueView(
            context,
            queue,
            new ColumnChoice(List.of(), ids -> {}),
            job -> {
              shell.model().selectionProperty().set(Items.job(job));
              shell.show(Activity.WHY);
            });
    String title = texts.get(Activity.QUEUE.text());
    return new EditorTab(
        Activity.QUEUE.id(),
        Activity.QUEUE.icon(),
        title,
        List.of(title),
        new ClusterPane(context, cluster, view));
  }

  private EditorTab whyTab() {
    WhyView view = new WhyView(context, why, () -> shell.show(Activity.QUEUE));
    return WhyTab.build(context, why, new ClusterPane(context, cluster, view));
  }

  private void open(Item item) {
    if (Items.jobId(item) != null) {
      shell.show(Activity.WHY);
    }
  }
}
