package dev.yardmaster.explain;

import dev.yardmaster.model.Preemption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The grounds of a preemption in words: by which rule, and who else might have left. */
final class PreemptionWords {
  private final Texts texts;

  PreemptionWords(Texts texts) {
    this.texts = texts;
  }

  /** A sentence with a blank before it, or nothing when the grounds are not known. */
  String why(Preemption.@Nullable Why why, Instant at) {
    if (why == null) {
      return "";
    }
    List<String> sentences = new ArrayList<>();
    sentences.add(
        texts.get(
            "preempt.rule." + why.rule(),
            Texts.printable(why.winner()),
            Texts.printable(why.loser())));
    sentences.add(
        why.others() == 0
            ? texts.get("preempt.nobodyElse", why.together())
            : texts.get(
                why.youngestFirst() ? "preempt.order.youngest" : "preempt.order",
                why.together(),
                why.together() + why.others()));
    if (!why.spared().isEmpty()) {
      List<String> jobs = why.spared().stream().map(id -> Integer.toString(id)).toList();
      sentences.add(texts.get("preempt.spared", texts.list(jobs), jobs.size()));
    }
    if (why.otherwise() instanceof Instant otherwise) {
      sentences.add(texts.get("preempt.otherwise", texts.instant(otherwise, at)));
    }
    return " " + String.join(" ", sentences);
  }
}
