package dev.yardmaster.config;

import dev.yardmaster.model.text.GresItem;
import dev.yardmaster.model.text.GresList;
import dev.yardmaster.model.text.NotationException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads Gres= of a NodeName line and checks it against GresTypes. */
final class NodeGres {
  private final Set<String> gresTypes;
  private final OncePerPlace findings;

  NodeGres(List<String> gresTypes, OncePerPlace findings) {
    this.gresTypes = new LinkedHashSet<>(gresTypes);
    this.findings = findings;
  }

  /** The resources, those of the same name and type added up. */
  List<GresItem> items(Setting said) {
    try {
      Map<String, GresItem> items = new LinkedHashMap<>();
      for (GresItem item : GresList.parse(said.value())) {
        String type = item.type() == null ? "" : item.type();
        items.merge(
            item.name().toLowerCase(Locale.ROOT) + ":" + type,
            item,
            (a, b) -> a.withCount(a.count() + b.count()));
      }
      check(said, List.copyOf(items.values()));
      return List.copyOf(items.values());
    } catch (NotationException e) {
      findings.tell(said, "notation", Severity.FATAL, e.wrong(), "write for example gpu:h100:8");
      return List.of();
    }
  }

  private void check(Setting said, List<GresItem> items) {
    for (GresItem item : items) {
      if (!gresTypes.contains(item.name())) {
        String types =
            gresTypes.isEmpty() ? item.name() : String.join(",", gresTypes) + "," + item.name();
        findings.tell(
            said,
            "GresTypes " + item.name(),
            Severity.ERROR,
            item.name() + " is not in GresTypes; Slurm ignores it",
            "write GresTypes=" + types);
      }
      boolean mixed =
          items.stream()
              .anyMatch(
                  o -> o.name().equals(item.name()) && (o.type() == null) != (item.type() == null));
      if (mixed) {
        findings.tell(
            said,
            "mixed " + item.name(),
            Severity.FATAL,
            "some " + item.name() + " have a type and some have none",
            "give all of them a type, or none");
      }
    }
  }
}
