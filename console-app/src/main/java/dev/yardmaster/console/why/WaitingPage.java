package dev.yardmaster.console.why;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Card;
import dev.yardmaster.console.kit.ClipboardText;
import dev.yardmaster.console.kit.FunnelBar;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.KeyValueGrid;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.kit.Meter;
import dev.yardmaster.console.kit.Pill;
import dev.yardmaster.console.kit.StackedBar;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.model.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** Draws why a job waits. */
final class WaitingPage {
  private static final double LEFT_SHARE = 37;

  private final Texts texts;
  private final WhyViewModel model;
  private final Label asOf;
  private final GatesCard gates;
  private final ObstacleRows obstacles;
  private final Set<String> openSteps = new HashSet<>();

  WaitingPage(ConsoleContext context, WhyViewModel model, Label asOf) {
    this.texts = context.texts();
    this.model = model;
    this.asOf = asOf;
    this.gates = new GatesCard(texts);
    this.obstacles = new ObstacleRows(context, model);
  }

  /**
   * The page.
   *
   * @param waits whether something would let the job start
   */
  VBox build(WhyPage page, boolean waits) {
    List<Node> left = new ArrayList<>();
    if (!page.funnel().steps().isEmpty()) {
      left.add(funnel(page.funnel()));
    }
    left.add(gates.build(page.gates()));
    List<Node> right = new ArrayList<>();
    if (waits) {
      right.add(new ChangesCard(texts).build(page.changes()));
    }
    if (!page.obstacles().isEmpty()) {
      right.add(new Card(texts.get(WhyText.BLOCKERS), obstacles.rows(page.obstacles())));
    }
    right.add(priority(page.priority()));
    if (!page.limits().isEmpty()) {
      right.add(limits(page.limits()));
    }
    if (!page.forecast().isEmpty()) {
      right.add(forecast(page.forecast()));
    }
    return new VBox(header(page), columns(left, right));
  }

  private Node header(WhyPage page) {
    Pill slurm = new Pill(texts.get(WhyText.SLURM_REASON, page.slurmReason()), Tone.NEUTRAL);
    slurm.setTooltip(new Tooltip(page.slurmHover()));
    Button ticket = new Button(texts.get(WhyText.COPY_TICKET), Icon.COPY.node());
    ticket.setMinWidth(Region.USE_PREF_SIZE);
    ticket.setOnAction(e -> ClipboardText.put(page.ticket()));
    return page.slurmReason().equals(Reason.NONE.text())
        ? PageHeader.build(page.answer(), page.lead(), page.verdict(), asOf, ticket)
        : PageHeader.build(page.answer(), page.lead(), page.verdict(), asOf, slurm, ticket);
  }

  private static GridPane columns(List<Node> left, List<Node> right) {
    VBox first = new VBox(left.toArray(Node[]::new));
    VBox second = new VBox(right.toArray(Node[]::new));
    first.getStyleClass().add("column");
    second.getStyleClass().add("column");
    GridPane grid = new GridPane();
    grid.getStyleClass().add("why-columns");
    ColumnConstraints narrow = new ColumnConstraints();
    narrow.setPercentWidth(LEFT_SHARE);
    ColumnConstraints wide = new ColumnConstraints();
    wide.setPercentWidth(100 - LEFT_SHARE);
    grid.getColumnConstraints().addAll(narrow, wide);
    grid.addRow(0, first, second);
    return grid;
  }

  private Card funnel(WhyPage.Funnel funnel) {
    VBox steps = new VBox();
    steps.getStyleClass().add("funnel");
    for (WhyPage.Step step : funnel.steps()) {
      steps.getChildren().add(step(step));
    }
    return new Card(funnel.title(), steps).remark(funnel.remark());
  }

  private Node step(WhyPage.Step step) {
    FunnelBar bar =
        new FunnelBar(step.label(), step.count(), step.share(), step.tone(), step.note());
    VBox box = new VBox(bar);
    if (step.falls().isEmpty()) {
      return box;
    }
    VBox detail = fallen(step.falls());
    boolean open = openSteps.contains(step.label());
    detail.setVisible(open);
    detail.setManaged(open);
    box.getChildren().add(detail);
    Tooltip.install(bar, new Tooltip(texts.get(WhyText.FUNNEL_SHOW)));
    bar.onOpen(
        () -> {
          boolean now = !detail.isVisible();
          detail.setVisible(now);
          detail.setManaged(now);
          if (now) {
            openSteps.add(step.label());
          } else {
            openSteps.remove(step.label());
          }
        });
    return box;
  }

  private VBox fallen(List<WhyPage.Fallen> falls) {
    VBox box = new VBox();
    box.getStyleClass().add("fallen");
    for (WhyPage.Fallen fall : falls) {
      box.getChildren().add(Labels.wrapping(fall.cause(), "secondary"));
      if (fall.single().isEmpty()) {
        box.getChildren().add(Labels.wrapping(fall.nodes(), "mono"));
        continue;
      }
      FlowPane names = new FlowPane();
      names.getStyleClass().add("fallen-nodes");
      for (String node : fall.single()) {
        names.getChildren().add(obstacles.link(node, Items.node(node)));
      }
      box.getChildren().add(names);
    }
    return box;
  }

  static Card priority(WhyPage.Priority priority) {
    List<StackedBar.Part> parts = new ArrayList<>();
    for (WhyPage.Part part : priority.parts()) {
      parts.add(new StackedBar.Part(part.name(), part.value(), part.points(), part.colour()));
    }
    Card card = new Card(priority.title());
    if (!parts.isEmpty()) {
      card.getChildren().add(new StackedBar(parts));
    }
    return card.remark(priority.place());
  }

  private Card limits(List<WhyPage.Amount> limits) {
    Card card = new Card(texts.get(WhyText.LIMITS));
    for (WhyPage.Amount limit : limits) {
      card.getChildren()
          .add(
              new Meter(limit.label(), limit.value(), limit.share(), limit.tone())
                  .note(limit.note()));
    }
    return card;
  }

  private Card forecast(List<WhyPage.Fact> facts) {
    return new Card(texts.get(WhyText.FORECAST), facts(facts));
  }

  static KeyValueGrid facts(List<WhyPage.Fact> facts) {
    KeyValueGrid grid = new KeyValueGrid();
    for (WhyPage.Fact fact : facts) {
      Label value = Labels.wrapping(fact.value());
      if (!fact.hover().isEmpty()) {
        value.setTooltip(new Tooltip(fact.hover()));
      }
      grid.row(fact.name(), value);
    }
    return grid;
  }
}
