package dev.yardmaster.explain;

import dev.yardmaster.explain.RunFacts.HeldBack;
import dev.yardmaster.explain.RunFacts.Wait;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is told of a job that has started, in words. */
final class RunWords {
  /** No signal: what Slurm gives for a script whose files could not be opened. */
  private static final int FILES_NOT_OPENED = 53;

  private final Texts texts;

  RunWords(Texts texts) {
    this.texts = texts;
  }

  /** Where it runs and until when, how its turn came, and who waits for its end. */
  String detail(RunFacts run, Verdict verdict, boolean stopped, Instant at) {
    List<String> sentences = new ArrayList<>();
    if (stopped) {
      sentences.add(texts.get("detail.stopped", run.nodes().toString()));
    } else if (verdict == Verdict.RUNNING) {
      sentences.add(ends(run, at));
      Instant likely = run.likely();
      if (likely != null) {
        sentences.add(likely(likely, run, at));
      }
    }
    if (!run.waits().isEmpty()) {
      sentences.add(waited(run));
    }
    if (!run.nodes().isEmpty()) {
      sentences.add(turn(run));
    }
    if (run.heldBackCount() > 0) {
      sentences.add(heldBack(run));
    }
    return String.join(" ", sentences);
  }

  /** How a job ended, after its name. */
  String ended(String subject, RunFacts.Ended ended, long limitMinutes, Instant at) {
    boolean bySignal = ended.state() == JobState.FAILED && ended.exit().signal() != 0;
    String how = !bySignal ? "" : ended.exit().signal() == FILES_NOT_OPENED ? ".files" : ".signal";
    String key = "ended." + ended.state() + how;
    String never = key + ".never";
    return texts.get(
        ended.seconds() < 0 && texts.has(never) ? never : key,
        subject,
        texts.instant(ended.at(), at),
        texts.duration(Math.max(0, ended.seconds())),
        bySignal ? ended.exit().signal() : ended.exit().code(),
        texts.duration(60 * limitMinutes));
  }

  /** How many would start earlier, and of how many. */
  String heldBack(RunFacts run) {
    return run.lookedAt() == 0
        ? texts.get("run.heldBack", run.heldBackCount())
        : texts.get("run.heldBack.of", run.heldBackCount(), run.lookedAt());
  }

  private String ends(RunFacts run, Instant at) {
    return run.ends() instanceof Instant ends
        ? texts.get("detail.running", run.nodes().toString(), texts.instant(ends, at))
        : texts.get("detail.running.noEnd", run.nodes().toString());
  }

  private String likely(Instant likely, RunFacts run, Instant at) {
    Instant from = run.earliest();
    Instant to = run.latest();
    return from == null || to == null || from.equals(to)
        ? texts.get("run.likely", texts.instant(likely, at))
        : texts.get(
            "run.likely.range",
            texts.instant(likely, at),
            texts.instant(from, at),
            texts.instant(to, at));
  }

  private String waited(RunFacts run) {
    long total = run.waits().stream().mapToLong(Wait::seconds).sum();
    Wait longest = run.waits().getFirst();
    return run.waits().size() == 1
        ? texts.get("run.waited", texts.duration(total), reason(longest.reason()))
        : texts.get(
            "run.waited.longest",
            texts.duration(total),
            texts.duration(longest.seconds()),
            reason(longest.reason()));
  }

  /** How its turn came. */
  String turn(RunFacts run) {
    return texts.get(
        run.backfilled()
            ? run.ahead() == 0 ? "run.turn.backfill.first" : "run.turn.backfill"
            : run.ahead() == 0 ? "run.turn.first" : "run.turn.past",
        run.ahead());
  }

  /** What a job waited for, after "waited": {@code for nodes}. */
  String reason(Reason reason) {
    String key = "run.for." + reason;
    if (texts.has(key)) {
      return texts.get(key);
    }
    String name = reason.name();
    return name.startsWith("QOS_")
        ? texts.get("run.for.qos")
        : name.startsWith("ASSOC")
            ? texts.get("run.for.account")
            : name.startsWith("PARTITION_")
                ? texts.get("run.for.partition")
                : texts.get("run.for", reason.text());
  }

  /** When one that it holds back would start. */
  String heldBack(HeldBack held, Instant at) {
    @Nullable Instant start = held.start();
    return start == null
        ? texts.get("run.heldBack.none", texts.instant(held.instead(), at))
        : texts.get(
            "run.heldBack.start", texts.instant(start, at), texts.instant(held.instead(), at));
  }
}
