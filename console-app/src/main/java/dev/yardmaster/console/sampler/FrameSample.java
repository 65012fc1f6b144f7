package dev.yardmaster.console.sampler;

import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.ExplorerItem;
import dev.yardmaster.console.shell.FrameViewModel;
import dev.yardmaster.console.shell.Inspection;
import dev.yardmaster.console.shell.Item;
import dev.yardmaster.console.shell.LiveState;
import dev.yardmaster.console.shell.Shell;
import dev.yardmaster.console.shell.StatusSegment;
import dev.yardmaster.console.shell.ToolPanel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fills the frame with made-up values, to show it and to judge its density. */
public final class FrameSample {
  private final ConsoleContext context;
  private final Texts texts;

  private FrameSample(ConsoleContext context) {
    this.context = context;
    texts = context.texts();
  }

  /** Fills every part of the frame around the centre. */
  public static void fill(Shell shell, ConsoleContext context) {
    FrameSample sample = new FrameSample(context);
    FrameViewModel model = shell.model();
    model.clusterProperty().set("atlas");
    model.liveProperty().set(LiveState.NOW);
    model.roleProperty().set(sample.texts.get(SamplerText.ROLE, "op1"));
    model.stagedChangesProperty().set(0);
    model.explorerProperty().set(sample.explorer());
    model.inspectionProperty().set(sample.inspection());
    model.statusProperty().set(sample.status());
    model.countProperty(ToolPanel.PROBLEMS).set(5);
    shell.setToolContent(ToolPanel.PROBLEMS, new ComponentSampler(context).problems());
    model.selectionProperty().set(new Item(Item.Kind.JOB, "4711"));
  }

  private List<ExplorerItem> explorer() {
    return List.of(
        ExplorerItem.group(
            "partitions",
            texts.get(SamplerText.PARTITIONS),
            "",
            List.of(
                line(Item.Kind.PARTITION, "train", texts.get(SamplerText.NODES, 212), null),
                line(Item.Kind.PARTITION, "interactive", "16", null),
                line(Item.Kind.PARTITION, "bigmem", "28", null))),
        ExplorerItem.group(
            "blocks",
            texts.get(SamplerText.BLOCKS),
            "",
            List.of(
                line(Item.Kind.BLOCK, "b01", texts.get(SamplerText.FREE, 4), Tone.GOOD),
                line(Item.Kind.BLOCK, "b02", texts.get(SamplerText.FREE, 0), Tone.NEUTRAL),
                line(Item.Kind.BLOCK, "b03", texts.get(SamplerText.FREE, 18), Tone.RESERVATION),
                line(Item.Kind.BLOCK, "b04", texts.get(SamplerText.FREE, 2), Tone.GOOD),
                line(Item.Kind.BLOCK, "b05", texts.get(SamplerText.FREE, 9), Tone.BLOCKED),
                line(Item.Kind.BLOCK, "b06", texts.get(SamplerText.FREE, 31), Tone.GOOD))),
        ExplorerItem.group(
            "attention",
            texts.get(SamplerText.ATTENTION_JOBS),
            "7",
            List.of(
                job("4711", "qwen-finetune"),
                job("4702", "eval-sweep[40-99]"),
                job("4655", "cryo-em"),
                job("4630", "llm-pretrain"))),
        ExplorerItem.group("accounts", texts.get(SamplerText.ACCOUNTS_GROUP), "38", accounts())
            .collapsed(),
        ExplorerItem.group(
            "reservations",
            texts.get(SamplerText.RESERVATIONS),
            "",
            List.of(
                line(
                    Item.Kind.RESERVATION,
                    "maint-fw-b03",
                    at("2026-12-01T06:00:00Z"),
                    Tone.RESERVATION),
                line(
                    Item.Kind.RESERVATION,
                    "course-gpu101",
                    at("2026-12-02T08:00:00Z"),
                    Tone.RESERVATION))));
  }

  private static List<ExplorerItem> accounts() {
    return List.of(line(Item.Kind.ACCOUNT, "nlp", "", null));
  }

  private static ExplorerItem line(
      Item.Kind kind, String name, String detail, @Nullable Tone mark) {
    return ExplorerItem.leaf(kind + "/" + name, name, detail, mark, new Item(kind, name));
  }

  private static ExplorerItem job(String id, String name) {
    return ExplorerItem.leaf("job/" + id, id + " " + name, "", null, new Item(Item.Kind.JOB, id));
  }

  private Inspection inspection() {
    int nlp = context.accounts().indexOf("nlp");
    return new Inspection(
        texts.get(SamplerText.JOB) + " 4711",
        List.of(
            new Inspection.Facts(
                "",
                List.of(
                    Inspection.Fact.of(
                        texts.get(SamplerText.STATE),
                        texts.get(SamplerText.PENDING),
                        Tone.ATTENTION),
                    Inspection.Fact.of(texts.get(SamplerText.USER), "user17 · nlp"),
                    Inspection.Fact.of(
                        texts.get(SamplerText.SUBMITTED), at("2026-11-30T13:02:00Z")),
                    Inspection.Fact.of(
                        texts.get(SamplerText.WAITING),
                        context.formats().duration(Duration.ofMinutes(374))),
                    Inspection.Fact.mono(texts.get(SamplerText.TIME_LIMIT), "12:00:00"),
                    Inspection.Fact.mono(
                        texts.get(SamplerText.REQUEST), "2 nodes, gpu:h100:8 each, switches=1"),
                    Inspection.Fact.mono(texts.get(SamplerText.SCRIPT), "finetune.sh"))),
            new Inspection.Meters(
                texts.get(SamplerText.METERS),
                List.of(
                    gauge(SamplerText.METER_GPUS, 16, 32),
                    gauge(SamplerText.METER_ACCOUNT, 384, 512),
                    gauge(SamplerText.METER_HOURS, 61_200, 80_000))),
            new Inspection.Links(
                texts.get(SamplerText.HELD_BY),
                List.of(
                    new Inspection.Link(
                        "4688 llm-pretrain",
                        texts.get(SamplerText.HOLDS, 64, "03:20"),
                        nlp,
                        new Item(Item.Kind.JOB, "4688")),
                    new Inspection.Link(
                        "4690 llm-pretrain",
                        texts.get(SamplerText.HOLDS, 64, "03:20"),
                        nlp,
                        new Item(Item.Kind.JOB, "4690")))),
            new Inspection.Trend(
                texts.get(SamplerText.TREND),
                texts.get(SamplerText.TREND_SPOKEN),
                List.of(4.0, 5.0, 9.0, 8.6, 8.6, 12.6, 12.4, 12.2),
                List.of(3.0, 3.4, 6.0, 5.8, 5.4, 9.0, 9.4, 8.8),
                List.of(5.4, 6.6, 11.6, 11.0, 11.0, 15.0, 14.4, 14.0),
                List.of(texts.get(SamplerText.TREND_NOTE))),
            new Inspection.Command(
                texts.get(SamplerText.AS_COMMAND), "scontrol show job 4711 --details")));
  }

  private Inspection.Gauge gauge(SamplerText label, long used, long allowed) {
    return new Inspection.Gauge(
        texts.get(label),
        context.formats().count(used) + " / " + context.formats().count(allowed),
        (double) used / allowed,
        Tone.GOOD);
  }

  private List<StatusSegment> status() {
    return List.of(
        new StatusSegment(texts.get(SamplerText.STATUS_CONTROLLER), Tone.GOOD, "ctl01:6817"),
        segment(SamplerText.STATUS_AGE),
        segment(SamplerText.STATUS_CYCLE),
        segment(SamplerText.STATUS_QUEUE),
        segment(SamplerText.STATUS_GPUS));
  }

  private String at(String instant) {
    return context.formats().instant(Instant.parse(instant));
  }

  private StatusSegment segment(SamplerText text) {
    return new StatusSegment(texts.get(text), null, texts.get(text));
  }
}
