package dev.yardmaster.console.sampler;

import dev.yardmaster.console.i18n.Formats;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Card;
import dev.yardmaster.console.kit.Dot;
import dev.yardmaster.console.kit.FunnelBar;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.KeyValueGrid;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.kit.Meter;
import dev.yardmaster.console.kit.Pill;
import dev.yardmaster.console.kit.SnapshotRows;
import dev.yardmaster.console.kit.SnapshotTable;
import dev.yardmaster.console.kit.Sparkline;
import dev.yardmaster.console.kit.StackedBar;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.theme.AccountPalette;
import java.time.Instant;
import java.util.List;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.jspecify.annotations.Nullable;

/** A page with every component of the kit. */
public final class ComponentSampler {
  private final ConsoleContext context;
  private final Texts texts;

  public ComponentSampler(ConsoleContext context) {
    this.context = context;
    texts = context.texts();
  }

  private record Row(int job, String name, int gpus, String start, String why) {}

  /** The page. */
  public Node build() {
    VBox left = column(funnel(), meters());
    VBox middle = column(table(), priority(), pills(), icons());
    VBox right = column(facts(), trend(), buttons(), accounts());
    left.setPrefWidth(context.appearance().scaled(320));
    left.setMinWidth(context.appearance().scaled(260));
    middle.setPrefWidth(context.appearance().scaled(520));
    right.setPrefWidth(context.appearance().scaled(280));
    right.setMinWidth(context.appearance().scaled(220));
    HBox.setHgrow(middle, Priority.ALWAYS);
    HBox columns = new HBox(left, middle, right);
    columns.getStyleClass().add("columns");
    VBox page =
        new VBox(
            Labels.answer(texts.get(SamplerText.COMPONENTS)),
            Labels.wrapping(texts.get(SamplerText.LEAD), "lead"),
            columns);
    page.getStyleClass().add("page");
    ScrollPane scroll = new ScrollPane(page);
    scroll.setFitToWidth(true);
    return scroll;
  }

  private static VBox column(Node... cards) {
    VBox column = new VBox(cards);
    column.getStyleClass().add("column");
    return column;
  }

  private Card funnel() {
    VBox steps =
        new VBox(
            step(SamplerText.IN_PARTITION, 212, Tone.ACCENT, null),
            step(SamplerText.UP, 204, Tone.ACCENT, SamplerText.UP_NOTE),
            step(SamplerText.HAS_GPU, 160, Tone.ACCENT, SamplerText.HAS_GPU_NOTE),
            step(SamplerText.NOT_RESERVED, 142, Tone.ATTENTION, SamplerText.NOT_RESERVED_NOTE),
            step(SamplerText.GPUS_FREE, 9, Tone.BLOCKED, SamplerText.GPUS_FREE_NOTE)
                .onOpen(() -> {}));
    steps.getStyleClass().add("funnel");
    return new Card(texts.get(SamplerText.FUNNEL), steps)
        .remark(texts.get(SamplerText.FUNNEL_REMARK));
  }

  private FunnelBar step(SamplerText label, int count, Tone tone, @Nullable SamplerText note) {
    return new FunnelBar(
        texts.get(label),
        context.formats().count(count),
        count / 212.0,
        tone,
        note == null ? "" : texts.get(note));
  }

  private Card meters() {
    return new Card(
        texts.get(SamplerText.METERS),
        new Meter(texts.get(SamplerText.METER_GPUS), "16 / 32", 0.5, Tone.GOOD),
        new Meter(texts.get(SamplerText.METER_ACCOUNT), "384 / 512", 0.75, Tone.GOOD),
        new Meter(
            texts.get(SamplerText.METER_HOURS),
            context.formats().count(78_200) + " / " + context.formats().count(80_000),
            0.98,
            Tone.ATTENTION));
  }

  private Card table() {
    SnapshotTable<Row> table = waitingJobs();
    table.setPrefHeight(context.appearance().scaled(26 * 6 + 2));
    table.selectKey(4702);
    return new Card(texts.get(SamplerText.TABLE), table);
  }

  /** The table alone, as it stands in the panel of problems. */
  Node problems() {
    SnapshotTable<Row> table = waitingJobs();
    table.selectKey(4702);
    return table;
  }

  private SnapshotTable<Row> waitingJobs() {
    SnapshotRows<Row> rows = new SnapshotRows<>(context.tasks());
    rows.show(
        List.of(
            new Row(4688, "llm-pretrain", 16, at("2026-12-01T03:20:00Z"), "Resources"),
            new Row(4690, "llm-pretrain", 16, at("2026-12-01T03:20:00Z"), "Priority"),
            new Row(4702, "eval-sweep", 60, at("2026-11-30T21:10:00Z"), "JobArrayTaskLimit"),
            new Row(4655, "cryo-em", 8, Formats.UNKNOWN, "AssocGrpGRES"),
            new Row(4630, "llm-pretrain", 512, at("2026-12-02T11:00:00Z"), "Resources")));
    return new SnapshotTable<Row>(
            rows, Row::job, context.appearance().fontSizeProperty(), context.texts())
        .number(texts.get(SamplerText.JOB), 64, Row::job, r -> String.valueOf(r.job()))
        .column(texts.get(SamplerText.NAME), 104, Row::name)
        .number(texts.get(SamplerText.GPUS), 46, Row::gpus, r -> String.valueOf(r.gpus()))
        .column(texts.get(SamplerText.EXPECTED), 84, Row::start)
        .words(texts.get(SamplerText.REASON), 150, Row::why);
  }

  private Card priority() {
    return new Card(
            texts.get(SamplerText.PRIORITY),
            new StackedBar(
                List.of(
                    part(SamplerText.FAIR_SHARE, 4_120, 0),
                    part(SamplerText.AGE, 1_890, 1),
                    part(SamplerText.QOS, 1_000, 2),
                    part(SamplerText.JOB_SIZE, 640, 3),
                    part(SamplerText.PARTITION, 200, 4))))
        .remark(texts.get(SamplerText.PRIORITY_REMARK));
  }

  private StackedBar.Part part(SamplerText label, int amount, int colour) {
    return new StackedBar.Part(texts.get(label), context.formats().count(amount), amount, colour);
  }

  private Card facts() {
    return new Card(
        texts.get(SamplerText.FACTS),
        new KeyValueGrid()
            .row(texts.get(SamplerText.STATE), texts.get(SamplerText.PENDING), Tone.ATTENTION)
            .row(texts.get(SamplerText.USER), "user17 · nlp")
            .row(texts.get(SamplerText.SUBMITTED), at("2026-11-30T13:02:00Z"))
            .monoRow(texts.get(SamplerText.REQUEST), "2 nodes, gpu:h100:8 each, switches=1"));
  }

  private Card trend() {
    double[] values = {4, 5, 9, 8.6, 8.6, 12.6, 12.4, 12.2};
    double[] low = {3, 3.4, 6, 5.8, 5.4, 9, 9.4, 8.8};
    double[] high = {5.4, 6.6, 11.6, 11, 11, 15, 14.4, 14};
    return new Card(
        texts.get(SamplerText.TREND),
        new Sparkline(values, Tone.PLANNED, texts.get(SamplerText.TREND_SPOKEN)).range(low, high),
        new Sparkline(values, Tone.ACCENT, texts.get(SamplerText.TREND_SPOKEN)).level(7));
  }

  private Card pills() {
    FlowPane flow =
        flow(
            Pill.withDot(texts.get(SamplerText.CAN_START), Tone.GOOD),
            Pill.withDot(texts.get(SamplerText.CHANGED), Tone.ATTENTION),
            Pill.withDot(texts.get(SamplerText.BLOCKED), Tone.BLOCKED),
            Pill.withDot(texts.get(SamplerText.RESERVED), Tone.RESERVATION),
            Pill.withDot(texts.get(SamplerText.PLANNED), Tone.PLANNED),
            new Pill(texts.get(SamplerText.NEUTRAL), Tone.NEUTRAL));
    return new Card(texts.get(SamplerText.PILLS), flow);
  }

  private Card buttons() {
    Button main = new Button(texts.get(SamplerText.MAIN));
    main.getStyleClass().add("accent");
    Button quiet = new Button(texts.get(SamplerText.QUIET));
    quiet.getStyleClass().add("quiet");
    Button disabled = new Button(texts.get(SamplerText.DISABLED));
    disabled.setDisable(true);
    return new Card(
        texts.get(SamplerText.BUTTONS),
        flow(main, new Button(texts.get(SamplerText.SECOND)), quiet, disabled));
  }

  private Card accounts() {
    AccountPalette palette = new AccountPalette();
    FlowPane flow = flow();
    for (String account :
        List.of("bio", "climate", "course", "infra", "nlp", "robotics", "speech", "vision")) {
      HBox entry = new HBox(Dot.ofAccount(palette.indexOf(account)), Labels.of(account));
      entry.getStyleClass().add("legend-entry");
      flow.getChildren().add(entry);
    }
    return new Card(texts.get(SamplerText.ACCOUNTS), flow);
  }

  private Card icons() {
    FlowPane flow = flow();
    for (Icon icon : Icon.values()) {
      flow.getChildren().add(icon.node());
    }
    return new Card(texts.get(SamplerText.ICONS), flow);
  }

  private String at(String instant) {
    return context.formats().instant(Instant.parse(instant));
  }

  private static FlowPane flow(Node... nodes) {
    FlowPane flow = new FlowPane(nodes);
    flow.getStyleClass().add("sample-flow");
    return flow;
  }
}
