package dev.yardmaster.console.nodes;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.NodeUse;
import dev.yardmaster.console.connect.UnitCount;
import dev.yardmaster.console.i18n.Formats;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.kit.Pill;
import dev.yardmaster.console.kit.SnapshotTable;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.text.HostList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.TableCell;
import javafx.scene.control.TextField;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.jspecify.annotations.Nullable;

/** The table of nodes. Binds to {@link NodesViewModel} only. */
public final class NodesView extends VBox {
  private final ConsoleContext context;
  private final NodesViewModel model;
  private final Texts texts;
  private final Formats formats;
  private final Terms terms;
  private final SnapshotTable<NodeUse> table;

  public NodesView(ConsoleContext context, NodesViewModel model) {
    this.context = context;
    this.model = model;
    texts = context.texts();
    formats = context.formats();
    terms = new Terms(texts, formats);
    table =
        new SnapshotTable<>(
            model.rows(), NodeUse::name, context.appearance().fontSizeProperty(), texts);
    getStyleClass().addAll("nodes", "queue");
    buildTable();
    VBox.setVgrow(table, Priority.ALWAYS);
    getChildren().addAll(header(), legend(), table);
    model.selectionProperty().addListener(o -> showSelection());
    showSelection();
  }

  /** The table, for tests. */
  public SnapshotTable<NodeUse> table() {
    return table;
  }

  private Node header() {
    Label answer = Labels.answer("");
    answer.textProperty().bind(model.answerProperty());
    answer.setMaxWidth(Double.MAX_VALUE);
    HBox.setHgrow(answer, Priority.ALWAYS);
    TextField filter = new TextField();
    filter.setPromptText(texts.get(NodesText.FILTER_PROMPT));
    filter.setAccessibleText(texts.get(NodesText.FILTER_LABEL));
    filter.getStyleClass().add("queue-filter");
    filter.textProperty().bindBidirectional(model.filterProperty());
    HBox header = new HBox(answer, filter);
    header.getStyleClass().add("view-header");
    header.setAlignment(Pos.CENTER_LEFT);
    return header;
  }

  private Node legend() {
    HBox legend =
        new HBox(
            entry(NodesText.LEGEND_ACCOUNT, "account-0"),
            entry(NodesText.LEGEND_FREE, "gpu-free"),
            entry(NodesText.LEGEND_UNAVAILABLE, "gpu-unavailable"));
    legend.getStyleClass().add("nodes-legend");
    return legend;
  }

  private Node entry(NodesText text, String style) {
    Region sample = new Region();
    sample.getStyleClass().addAll("gpu", "gpu-sample", style);
    HBox entry = new HBox(sample, Labels.of(texts.get(text), "legend-text"));
    entry.getStyleClass().add("legend-entry");
    return entry;
  }

  private void buildTable() {
    table
        .column(texts.get(NodesText.COLUMN_NAME), 92, NodeUse::name, order(NodeUse::name))
        .words(texts.get(NodesText.COLUMN_STATE), 118, this::state)
        .cells(() -> new UseCell((cell, use) -> cell.setGraphic(pill(use))))
        .column(texts.get(NodesText.COLUMN_GPUS), 92, this::spoken)
        .cells(new StripCells())
        .number(texts.get(NodesText.COLUMN_ALLOCATED), 62, u -> u.gpus().free(), this::allocated)
        .number(texts.get(NodesText.COLUMN_CPUS), 76, NodeUse::cpusFree, this::cpus)
        .number(texts.get(NodesText.COLUMN_MEMORY), 138, NodeUse::memoryFreeMib, this::memory)
        .column(texts.get(NodesText.COLUMN_JOBS), 100, NodesViewModel::jobs)
        .words(texts.get(NodesText.COLUMN_REASON), 330, model::reason);
    table.onSelect(model::select);
    model.rows().rowsProperty().addListener((o, was, now) -> fitNames(now));
    fitNames(model.rows().rowsProperty().get());
  }

  /** Names that differ only at their end must be told apart. */
  private void fitNames(List<NodeUse> uses) {
    table.fit(0, uses.stream().mapToInt(use -> use.name().length()).max().orElse(0));
  }

  private static Comparator<NodeUse> order(Function<NodeUse, String> name) {
    return Comparator.comparing(name, HostList.ORDER);
  }

  private Pill pill(NodeUse use) {
    return new Pill(state(use), terms.tone(use.group()));
  }

  private String state(NodeUse use) {
    return terms.sentence(terms.group(use.group()));
  }

  private String allocated(NodeUse use) {
    UnitCount gpus = use.gpus();
    return gpus.total() == 0 ? Formats.UNKNOWN : gpus.allocated() + " / " + gpus.total();
  }

  private String cpus(NodeUse use) {
    return use.cpusUsed() + " / " + use.node().spec().cpus();
  }

  private String memory(NodeUse use) {
    return terms.memoryOf(use.memoryUsedMib(), use.node().spec().realMemoryMib());
  }

  private String spoken(NodeUse use) {
    UnitCount gpus = use.gpus();
    return texts.get(NodesText.STRIP_SPOKEN, gpus.allocated(), gpus.free(), gpus.unavailable());
  }

  private void showSelection() {
    String name = Items.nodeName(model.selectionProperty().get());
    NodeUse selected = table.getSelectionModel().getSelectedItem();
    if (name != null && (selected == null || !selected.name().equals(name))) {
      table.selectKey(name);
    }
  }

  private final class StripCells implements Supplier<TableCell<NodeUse, String>> {
    @Override
    public TableCell<NodeUse, String> get() {
      GpuStrip strip = new GpuStrip(context.accounts());
      return new UseCell(
          (cell, use) -> {
            strip.show(use);
            cell.setGraphic(strip);
            cell.setAccessibleText(spoken(use));
          });
    }
  }

  /** A cell that draws the node of its row instead of a text. */
  private static final class UseCell extends TableCell<NodeUse, String> {
    private final BiConsumer<TableCell<NodeUse, String>, NodeUse> draw;

    UseCell(BiConsumer<TableCell<NodeUse, String>, NodeUse> draw) {
      this.draw = draw;
    }

    @Override
    protected void updateItem(@Nullable String text, boolean empty) {
      super.updateItem(text, empty);
      setText(null);
      setGraphic(null);
      NodeUse use = empty || getTableRow() == null ? null : getTableRow().getItem();
      if (use != null) {
        draw.accept(this, use);
      }
    }
  }
}
