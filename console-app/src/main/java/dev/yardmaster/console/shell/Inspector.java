package dev.yardmaster.console.shell;

import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Dot;
import dev.yardmaster.console.kit.EmptyState;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.KeyValueGrid;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.kit.Meter;
import dev.yardmaster.console.kit.NextStep;
import dev.yardmaster.console.kit.SectionHeading;
import dev.yardmaster.console.kit.Sparkline;
import dev.yardmaster.console.kit.StatePane;
import dev.yardmaster.console.kit.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.jspecify.annotations.Nullable;

/** The panel at the right that shows the selection. */
final class Inspector extends VBox {
  private final Texts texts;
  private final Consumer<Item> open;
  private final PanelHeader header;
  private final ScrollPane content = new ScrollPane();
  private final StatePane empty;

  Inspector(ConsoleContext context, FrameViewModel model, NextStep step, Consumer<Item> open) {
    texts = context.texts();
    this.open = open;
    getStyleClass().addAll("side-panel", "inspector");
    header =
        new PanelHeader(
            texts.capitals(ShellText.INSPECTOR),
            texts.get(ShellText.HIDE),
            () -> model.inspectorShownProperty().set(false));
    empty =
        new EmptyState(
            Icon.INFO,
            texts.get(ShellText.INSPECTOR_EMPTY),
            texts.get(ShellText.INSPECTOR_EMPTY_TEXT),
            step);
    content.setFitToWidth(true);
    content.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
    model.inspectionProperty().addListener((o, was, now) -> show(now));
    show(model.inspectionProperty().get());
  }

  private void show(@Nullable Inspection inspection) {
    if (inspection == null) {
      header.setRemark("");
      VBox.setVgrow(empty, Priority.ALWAYS);
      getChildren().setAll(header, empty);
      return;
    }
    header.setRemark(inspection.subject());
    VBox sections = new VBox();
    sections.getStyleClass().add("inspector-sections");
    for (Inspection.Section section : inspection.sections()) {
      VBox box = new VBox();
      box.getStyleClass().add("inspector-section");
      if (!section.title().isEmpty()) {
        box.getChildren().add(new SectionHeading(section.title().toUpperCase(texts.locale())));
      }
      box.getChildren().addAll(nodes(section));
      sections.getChildren().add(box);
    }
    content.setContent(sections);
    VBox.setVgrow(content, Priority.ALWAYS);
    getChildren().setAll(header, content);
  }

  private List<Node> nodes(Inspection.Section section) {
    return switch (section) {
      case Inspection.Facts facts -> List.of(grid(facts));
      case Inspection.Meters meters ->
          meters.gauges().stream()
              .<Node>map(g -> new Meter(g.label(), g.value(), g.share(), g.tone()))
              .toList();
      case Inspection.Links links -> links(links);
      case Inspection.Trend trend -> List.of(sparkline(trend), notes(trend.notes()));
      case Inspection.Command command -> List.of(command(command.line()));
    };
  }

  private static KeyValueGrid grid(Inspection.Facts facts) {
    KeyValueGrid grid = new KeyValueGrid();
    for (Inspection.Fact fact : facts.facts()) {
      if (fact.mono()) {
        grid.monoRow(fact.name(), fact.value());
      } else {
        grid.row(fact.name(), fact.value(), fact.tone());
      }
    }
    return grid;
  }

  private List<Node> links(Inspection.Links links) {
    List<Node> lines = new ArrayList<>(links.links().stream().map(this::link).toList());
    if (!links.more().isEmpty()) {
      lines.add(Labels.wrapping(links.more(), "note"));
    }
    return lines;
  }

  private HBox link(Inspection.Link link) {
    Hyperlink name = new Hyperlink(link.label());
    name.setOnAction(e -> open.accept(link.target()));
    Label detail = Labels.of(link.detail(), "note");
    detail.setMinWidth(USE_PREF_SIZE);
    HBox line = new HBox();
    line.getStyleClass().add("inspector-link");
    if (link.account() != null) {
      line.getChildren().add(Dot.ofAccount(link.account()));
    }
    line.getChildren().addAll(name, Labels.gap(), detail);
    return line;
  }

  private static Sparkline sparkline(Inspection.Trend trend) {
    Sparkline line = new Sparkline(array(trend.values()), Tone.PLANNED, trend.spoken());
    if (!trend.low().isEmpty()) {
      line.range(array(trend.low()), array(trend.high()));
    }
    return line;
  }

  private static VBox notes(List<String> notes) {
    VBox box = new VBox();
    for (String note : notes) {
      box.getChildren().add(Labels.wrapping(note, "note"));
    }
    return box;
  }

  private VBox command(String line) {
    Label code = Labels.wrapping(line, "code-block");
    code.setMaxWidth(Double.MAX_VALUE);
    Button copy = new Button(texts.get(ShellText.COPY), Icon.COPY.node());
    copy.setOnAction(
        e -> {
          ClipboardContent clip = new ClipboardContent();
          clip.putString(line);
          Clipboard.getSystemClipboard().setContent(clip);
        });
    VBox box = new VBox(code, copy);
    box.getStyleClass().add("inspector-section");
    return box;
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
