package dev.yardmaster.console.nodes;

import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.connect.Derived;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.NodeUse;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.connect.UnitCount;
import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.kit.SnapshotRows;
import dev.yardmaster.console.shell.Item;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.NodeStatus;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import org.jspecify.annotations.Nullable;

/** The table of nodes without controls. To be used on the JavaFX thread. */
public final class NodesViewModel {
  private final ObjectProperty<@Nullable Item> selection;
  private final Terms terms;
  private final SnapshotRows<NodeUse> rows;
  private final StringProperty filter = new SimpleStringProperty(this, "filter", "");
  private final Derived<String> answer;

  public NodesViewModel(
      ClusterModel cluster, ObjectProperty<@Nullable Item> selection, Terms terms, Tasks tasks) {
    this.selection = selection;
    this.terms = terms;
    this.rows = new SnapshotRows<>(tasks);
    this.answer = new Derived<>(cluster, tasks, "", this::answer);
    cluster.snapshotProperty().addListener((o, was, now) -> follow(now));
    filter.addListener((o, was, now) -> rows.filter(passing(now)));
    follow(cluster.snapshot());
  }

  public SnapshotRows<NodeUse> rows() {
    return rows;
  }

  /** Words that must all be found in a node's name, state, features, GPUs, jobs or reason. */
  public StringProperty filterProperty() {
    return filter;
  }

  /** The first line: how many nodes take work, and where free GPUs are. */
  public ReadOnlyObjectProperty<String> answerProperty() {
    return answer.valueProperty();
  }

  /** The one selection of the window. */
  public ObjectProperty<@Nullable Item> selectionProperty() {
    return selection;
  }

  /** Selects a node everywhere; does nothing for a row that left. */
  public void select(@Nullable NodeUse node) {
    if (node != null) {
      selection.set(Items.node(node.name()));
    }
  }

  /** What stands in the way of a node, or who keeps it. */
  String reason(NodeUse use) {
    NodeStatus status = use.node().status();
    if (!status.reason().isEmpty()) {
      return status.reasonUser().isEmpty()
          ? status.reason()
          : terms.text(NodesText.REASON_BY, status.reason(), status.reasonUser());
    }
    return use.reservation() == null ? "" : terms.text(NodesText.RESERVED_BY, use.reservation());
  }

  /** The first job on a node, and how many more there are. */
  static String jobs(NodeUse use) {
    if (use.jobs().isEmpty()) {
      return "";
    }
    String first = use.jobs().getFirst().displayId();
    int more = use.jobs().size() - 1;
    return more == 0 ? first : first + " +" + more;
  }

  private void follow(@Nullable Snapshot snapshot) {
    rows.show(snapshot == null ? List.of() : List.copyOf(snapshot.nodes().values()));
  }

  private String answer(Snapshot snapshot) {
    long taking = snapshot.nodes().values().stream().filter(use -> use.group().takesWork()).count();
    UnitCount gpus = snapshot.gpus();
    long withFree = snapshot.nodes().values().stream().filter(use -> use.gpus().free() > 0).count();
    return gpus.total() == 0
        ? terms.text(NodesText.ANSWER_NO_GPUS, taking, snapshot.nodes().size())
        : terms.text(NodesText.ANSWER, taking, snapshot.nodes().size(), gpus.free(), withFree);
  }

  private Predicate<NodeUse> passing(String text) {
    List<String> words = List.of(text.toLowerCase(Locale.ROOT).strip().split("\\s+"));
    return use -> {
      String all = searchable(use);
      return words.stream().allMatch(all::contains);
    };
  }

  private String searchable(NodeUse use) {
    String gres =
        use.node().spec().gres().stream()
            .map(g -> g.name() + ":" + (g.type() == null ? "" : g.type()))
            .collect(Collectors.joining(" "));
    return String.join(
            " ",
            use.name(),
            terms.group(use.group()),
            String.join(" ", use.node().spec().features()),
            gres,
            use.jobs().stream().map(Job::displayId).collect(Collectors.joining(" ")),
            reason(use))
        .toLowerCase(Locale.ROOT);
  }
}
