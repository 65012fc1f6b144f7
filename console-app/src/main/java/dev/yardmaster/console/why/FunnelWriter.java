package dev.yardmaster.console.why;

import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.console.why.WhyPage.Fallen;
import dev.yardmaster.console.why.WhyPage.Funnel;
import dev.yardmaster.console.why.WhyPage.Step;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Evidence.Fall;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.explain.Outcome;
import dev.yardmaster.explain.Words;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the funnel of nodes: which steps are worth showing, and what each says. */
final class FunnelWriter {
  /** Up to this many nodes of one cause are named one by one. */
  private static final int SINGLE = 24;

  private final Words words;
  private final Terms terms;

  FunnelWriter(Words words, Terms terms) {
    this.words = words;
    this.terms = terms;
  }

  Funnel funnel(Explanation e) {
    List<Finding> looked =
        e.funnel().stream()
            .filter(f -> f.outcome() == Outcome.PASS || f.outcome() == Outcome.FAIL)
            .toList();
    if (looked.isEmpty()) {
      return new Funnel(terms.text(WhyText.FUNNEL, 0), "", List.of());
    }
    int all = Math.max(nodes(looked.getFirst()).before(), nodes(looked.getFirst()).remaining());
    List<Step> steps = new ArrayList<>();
    for (Finding finding : looked) {
      Evidence.Nodes nodes = nodes(finding);
      boolean first = finding == looked.getFirst();
      // A step at which nothing fell says nothing; it is among the gates all the same.
      if (first || finding.blocks() || nodes.remaining() < nodes.before()) {
        steps.add(step(finding, nodes, all, e.at()));
      }
    }
    return new Funnel(
        terms.text(WhyText.FUNNEL, all),
        terms.text(WhyText.FUNNEL_NEEDS, nodes(looked.getFirst()).needed()),
        steps);
  }

  private static Evidence.Nodes nodes(Finding finding) {
    return (Evidence.Nodes) finding.evidence();
  }

  private Step step(Finding finding, Evidence.Nodes nodes, int all, Instant at) {
    String note =
        nodes.falls().stream().map(fall -> words.fall(fall, at)).collect(Collectors.joining("; "));
    return new Step(
        words.gate(finding.gate()),
        terms.formats().count(nodes.remaining()),
        all == 0 ? 0 : (double) nodes.remaining() / all,
        tone(finding, nodes),
        note,
        nodes.falls().stream().map(fall -> fallen(fall, at)).toList());
  }

  private static Tone tone(Finding finding, Evidence.Nodes nodes) {
    if (finding.blocks() || nodes.remaining() < nodes.needed()) {
      return Tone.BLOCKED;
    }
    boolean changes = nodes.falls().stream().anyMatch(fall -> fall.until() != null);
    return changes ? Tone.ATTENTION : Tone.ACCENT;
  }

  private Fallen fallen(Fall fall, Instant at) {
    boolean few = fall.nodes().size() <= SINGLE;
    return new Fallen(
        words.fall(fall, at), fall.nodes().toString(), few ? fall.nodes().expand() : List.of());
  }
}
