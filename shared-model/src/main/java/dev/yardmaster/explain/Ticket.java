package dev.yardmaster.explain;

import dev.yardmaster.explain.Evidence.Nodes;
import dev.yardmaster.model.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The whole of an explanation as lines of text. */
final class Ticket {
  /** So many rules that were not reached are named; of more the number is enough. */
  private static final int NAMED = 3;

  private final Words words;
  private final Texts texts;

  Ticket(Words words, Texts texts) {
    this.words = words;
    this.texts = texts;
  }

  String of(Explanation e) {
    StringBuilder out = new StringBuilder();
    out.append(words.answer(e)).append('\n');
    String detail = words.detail(e);
    if (!detail.isEmpty()) {
      out.append(detail).append('\n');
    }
    out.append('\n').append(title(e)).append('\n');
    boolean told = e.slurmReason() != Reason.NONE || !e.slurmReasonText().isEmpty();
    if (told && !Words.isHeld(e)) {
      String reason = e.slurmReasonText().isEmpty() ? e.slurmReason().text() : e.slurmReasonText();
      out.append(texts.get("ticket.slurm", reason)).append('\n');
    }
    out.append(texts.get("ticket.at", texts.moment(e.at()))).append('\n');
    section(out, "ticket.gates", gates(e));
    section(out, "ticket.blockers", e.blockers().stream().map(b -> blocker(b, e)).toList());
    if (e.run() instanceof RunFacts run) {
      section(
          out,
          "ticket.heldBack",
          run.heldBack().stream()
              .map(h -> words.name(h) + ": " + words.heldBack(h, e.at()))
              .toList());
    }
    if (e.verdict() != Verdict.RUNNING && e.verdict() != Verdict.FINISHED) {
      section(
          out,
          "ticket.remedies",
          e.remedies().isEmpty()
              ? List.of(texts.get("ticket.none"))
              : e.remedies().stream().map(r -> remedy(r, e)).toList());
    }
    return out.toString();
  }

  private String title(Explanation e) {
    String job = words.subject(e);
    return e.account().isEmpty()
        ? texts.get("ticket.title.noAccount", job, e.user(), e.partition())
        : texts.get("ticket.title", job, e.user(), e.account(), e.partition());
  }

  private String blocker(Blocker b, Explanation e) {
    return words.name(b) + ": " + words.blocker(b, e.at());
  }

  private String remedy(Remedy r, Explanation e) {
    return "%s: %s, %s (%s: %s)"
        .formatted(
            words.remedy(r), words.effect(r, e.at()), words.cost(r), words.who(r), r.command());
  }

  private List<String> gates(Explanation e) {
    List<String> lines = new ArrayList<>();
    List<Finding> notReached = new ArrayList<>();
    for (Finding f : e.findings()) {
      switch (f.outcome()) {
        case NOT_APPLICABLE -> {}
        case NOT_REACHED -> notReached.add(f);
        case PASS, FAIL -> {
          flush(notReached, lines);
          lines.add(gate(f, e));
        }
      }
    }
    flush(notReached, lines);
    return lines;
  }

  private void flush(List<Finding> notReached, List<String> lines) {
    String mark = "[" + words.outcome(Outcome.NOT_REACHED) + "] ";
    if (notReached.size() > NAMED) {
      lines.add(mark + texts.get("ticket.notReached", notReached.size()));
    } else {
      notReached.forEach(f -> lines.add(mark + words.gate(f.gate())));
    }
    notReached.clear();
  }

  private String gate(Finding f, Explanation e) {
    StringBuilder line = new StringBuilder();
    line.append('[').append(words.outcome(f.outcome())).append("] ").append(words.gate(f.gate()));
    String evidence = words.finding(f, e.at());
    if (!evidence.isEmpty()) {
      line.append(": ").append(evidence);
    }
    if (f.evidence() instanceof Nodes nodes && !nodes.falls().isEmpty()) {
      line.append(
          nodes.falls().stream()
              .map(fall -> words.fall(fall, e.at()) + ": " + fall.nodes())
              .collect(Collectors.joining("; ", " ", "")));
    }
    return line.toString();
  }

  private void section(StringBuilder out, String titleKey, List<String> lines) {
    if (!lines.isEmpty()) {
      out.append('\n').append(texts.get(titleKey)).append('\n');
      lines.forEach(line -> out.append("  ").append(line).append('\n'));
    }
  }
}
