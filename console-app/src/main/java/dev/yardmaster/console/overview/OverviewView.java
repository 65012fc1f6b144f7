package dev.yardmaster.console.overview;

import dev.yardmaster.console.connect.Derived;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.JobSize;
import dev.yardmaster.console.connect.Unit;
import dev.yardmaster.console.connect.UnitCount;
import dev.yardmaster.console.i18n.Formats;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Bar;
import dev.yardmaster.console.kit.Card;
import dev.yardmaster.console.kit.Dot;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.kit.Meter;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.Item;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** The page that answers how the cluster is. */
public final class OverviewView extends ScrollPane {
  private final ConsoleContext context;
  private final Texts texts;
  private final Formats formats;
  private final Terms terms;
  private final ObservableValue<Instant> now;
  private final Consumer<Item> open;
  private final Consumer<String> openQueue;

  /**
   * A view.
   *
   * @param open opens a thing that is named on the page
   * @param openQueue opens the queue with a filter
   */
  public OverviewView(
      ConsoleContext context,
      Derived<Optional<Overview>> overview,
      ObservableValue<Instant> now,
      Consumer<Item> open,
      Consumer<String> openQueue) {
    this.context = context;
    this.texts = context.texts();
    this.formats = context.formats();
    this.terms = new Terms(texts, formats);
    this.now = now;
    this.open = open;
    this.openQueue = openQueue;
    setFitToWidth(true);
    getStyleClass().add("overview");
    overview.valueProperty().addListener((o, was, value) -> value.ifPresent(this::show));
    overview.value().ifPresent(this::show);
  }

  private void show(Overview overview) {
    double at = getVvalue();
    VBox left = new VBox(partitions(overview), waits(overview), jobs(overview));
    VBox right = new VBox(nodes(overview), ending(overview));
    left.getStyleClass().add("column");
    right.getStyleClass().add("column");
    GridPane grid = new GridPane();
    grid.getStyleClass().add("why-columns");
    ColumnConstraints half = new ColumnConstraints();
    half.setPercentWidth(50);
    grid.getColumnConstraints().addAll(half, half);
    grid.addRow(0, left, right);
    VBox page = new VBox(header(overview), byAccount(overview), grid);
    page.getStyleClass().add("page");
    setContent(page);
    applyCss();
    layout();
    setVvalue(at);
  }

  private Node header(Overview overview) {
    UnitCount units = overview.units();
    String answer =
        units.total() == 0
            ? texts.get(OverviewText.ANSWER_NO_NODES, overview.cluster())
            : texts.get(
                OverviewText.ANSWER,
                overview.cluster(),
                units.allocated(),
                units.total(),
                units.free(),
                units.unavailable(),
                overview.unit().ordinal());
    String lead =
        texts.get(
            OverviewText.LEAD,
            overview.tasks(JobState.PENDING),
            overview.tasks(JobState.RUNNING),
            overview.attention());
    Label first = Labels.answer(answer);
    first.setId("answer");
    VBox header = new VBox(first, Labels.wrapping(lead, "lead"));
    header.getStyleClass().add("why-header");
    return header;
  }

  private Card byAccount(Overview overview) {
    UnitCount units = overview.units();
    String title =
        texts.get(OverviewText.BY_ACCOUNT, formats.count(units.total()), overview.unit().ordinal());
    if (units.total() == 0) {
      return new Card(title, Labels.wrapping(texts.get(OverviewText.BY_ACCOUNT_NONE), "secondary"));
    }
    List<ShareBar.Part> parts = new ArrayList<>();
    overview
        .unitsByAccount()
        .forEach(
            (account, held) ->
                parts.add(
                    new ShareBar.Part(
                        account.isEmpty() ? texts.get(OverviewText.NO_ACCOUNT) : account,
                        formats.count(held),
                        held,
                        "account-" + context.accounts().indexOf(account))));
    parts.add(part(OverviewText.FREE, units.free(), "share-free"));
    parts.add(part(OverviewText.UNAVAILABLE, units.unavailable(), "share-unavailable"));
    parts.removeIf(part -> part.amount() == 0);
    return new Card(title, new ShareBar(parts))
        .remark(
            texts.get(OverviewText.BY_ACCOUNT_REMARK, formats.percent(units.allocatedShare(), 0)));
  }

  private ShareBar.Part part(OverviewText label, long count, String style) {
    return new ShareBar.Part(texts.get(label), formats.count(count), count, style);
  }

  private Card partitions(Overview overview) {
    Card card = new Card(texts.get(OverviewText.PARTITIONS, overview.unit().ordinal()));
    for (Overview.PartitionLine line : overview.partitions()) {
      card.getChildren()
          .add(
              new Meter(
                  line.name(),
                  texts.get(
                      OverviewText.PARTITION_VALUE,
                      line.units().free(),
                      line.units().total(),
                      line.unit().ordinal()),
                  line.units().allocatedShare(),
                  Tone.ACCENT));
    }
    return card;
  }

  private Card waits(Overview overview) {
    long all = overview.tasks(JobState.PENDING);
    if (overview.waits().isEmpty()) {
      return new Card(
          texts.get(OverviewText.WAITS),
          Labels.wrapping(texts.get(OverviewText.WAITS_NONE), "secondary"));
    }
    VBox rows = new VBox();
    rows.getStyleClass().add("rows");
    for (Overview.WaitLine line : overview.waits()) {
      Hyperlink reason = new Hyperlink(terms.reason(line.reason()));
      reason.setOnAction(e -> openQueue.accept("state:PD reason:" + line.reason().text()));
      rows.getChildren().add(bar(reason, line.tasks(), all, line.tone()));
    }
    return new Card(texts.get(OverviewText.WAITS), rows)
        .remark(texts.get(OverviewText.WAITS_REMARK, all));
  }

  private Card jobs(Overview overview) {
    long all = overview.states().stream().mapToLong(Overview.StateLine::tasks).sum();
    VBox rows = new VBox();
    rows.getStyleClass().add("rows");
    for (Overview.StateLine line : overview.states()) {
      Hyperlink state = new Hyperlink(terms.state(line.state()));
      state.setOnAction(e -> openQueue.accept("state:" + line.state().code()));
      rows.getChildren().add(bar(state, line.tasks(), all, tone(line.state())));
    }
    return new Card(texts.get(OverviewText.JOBS), rows)
        .remark(texts.get(OverviewText.JOBS_REMARK, all));
  }

  private static Tone tone(JobState state) {
    return switch (state) {
      case PENDING, COMPLETED, CANCELLED -> Tone.NEUTRAL;
      case RUNNING -> Tone.ACCENT;
      case SUSPENDED, PREEMPTED -> Tone.ATTENTION;
      case FAILED, TIMEOUT, NODE_FAIL, BOOT_FAIL, DEADLINE, OUT_OF_MEMORY -> Tone.BLOCKED;
    };
  }

  private Card nodes(Overview overview) {
    VBox rows = new VBox();
    rows.getStyleClass().add("rows");
    for (Overview.GroupLine line : overview.nodes()) {
      HBox name =
          new HBox(
              new Dot(terms.tone(line.group())),
              Labels.of(terms.sentence(terms.group(line.group(), line.nodes()))));
      name.getStyleClass().add("row");
      name.setAlignment(Pos.CENTER_LEFT);
      rows.getChildren()
          .add(bar(name, line.nodes(), overview.nodeCount(), terms.tone(line.group())));
    }
    return new Card(texts.get(OverviewText.NODES, overview.nodeCount()), rows);
  }

  private Card ending(Overview overview) {
    if (overview.ending().isEmpty()) {
      return new Card(
          texts.get(OverviewText.ENDING),
          Labels.wrapping(texts.get(OverviewText.ENDING_NONE), "secondary"));
    }
    VBox rows = new VBox();
    rows.getStyleClass().add("rows");
    for (Job job : overview.ending()) {
      rows.getChildren().add(ending(job));
    }
    return new Card(texts.get(OverviewText.ENDING), rows)
        .remark(texts.get(OverviewText.ENDING_REMARK));
  }

  private Node ending(Job job) {
    Hyperlink name = new Hyperlink(job.displayId() + " " + job.name());
    name.setOnAction(e -> open.accept(Items.job(job)));
    Duration left =
        job.ended() == null ? Duration.ZERO : Terms.between(now.getValue(), job.ended());
    Unit unit = JobSize.gpus(job) > 0 ? Unit.GPU : Unit.CPU;
    OverviewText text =
        unit == Unit.GPU ? OverviewText.ENDING_DETAIL : OverviewText.ENDING_DETAIL_CPUS;
    Label detail = Labels.of(texts.get(text, unit.of(job), formats.duration(left)), "muted");
    detail.setMinWidth(Region.USE_PREF_SIZE);
    Node mark =
        job.owner().account().isEmpty()
            ? new Dot(Tone.NEUTRAL)
            : Dot.ofAccount(context.accounts().indexOf(job.owner().account()));
    HBox row = new HBox(mark, name, Labels.gap(), detail);
    row.getStyleClass().add("row");
    row.setAlignment(Pos.CENTER_LEFT);
    return row;
  }

  /** A name, a bar of its share, and its count at the right. */
  private Node bar(Region name, long count, long all, Tone tone) {
    name.setMinWidth(context.appearance().scaled(230));
    name.setMaxWidth(context.appearance().scaled(230));
    Bar bar = new Bar(all == 0 ? 0 : (double) count / all, tone);
    HBox.setHgrow(bar, Priority.ALWAYS);
    bar.setMaxWidth(Double.MAX_VALUE);
    Label amount = Labels.of(formats.count(count), "funnel-count", "bar-count");
    amount.setMinWidth(context.appearance().scaled(44));
    HBox row = new HBox(name, bar, amount);
    row.getStyleClass().add("row");
    row.setAlignment(Pos.CENTER_LEFT);
    return row;
  }
}
