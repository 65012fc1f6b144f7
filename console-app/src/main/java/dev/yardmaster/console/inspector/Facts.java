package dev.yardmaster.console.inspector;

import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.Inspection;
import dev.yardmaster.console.shell.Inspection.Fact;
import dev.yardmaster.console.terms.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gathers the facts of a section, leaving out what is not given. */
final class Facts {
  private final Terms terms;
  private final List<Fact> facts = new ArrayList<>();

  Facts(Terms terms) {
    this.terms = terms;
  }

  Facts add(InspectorText name, String value) {
    if (!value.isEmpty()) {
      facts.add(Fact.of(terms.text(name), value));
    }
    return this;
  }

  Facts add(InspectorText name, String value, Tone tone) {
    facts.add(Fact.of(terms.text(name), value, tone));
    return this;
  }

  Facts mono(InspectorText name, String value) {
    if (!value.isEmpty()) {
      facts.add(Fact.mono(terms.text(name), value));
    }
    return this;
  }

  Facts count(InspectorText name, long value) {
    return value == 0 ? this : add(name, terms.formats().count(value));
  }

  Facts instant(InspectorText name, @Nullable Instant instant, Instant now) {
    return instant == null ? this : add(name, terms.formats().instant(instant, now));
  }

  Facts duration(InspectorText name, Duration duration) {
    return add(name, terms.formats().duration(duration));
  }

  /** The section, or nothing when it has no facts. */
  List<Inspection.Section> section(@Nullable InspectorText title) {
    return facts.isEmpty()
        ? List.of()
        : List.of(new Inspection.Facts(title == null ? "" : terms.text(title), facts));
  }
}
