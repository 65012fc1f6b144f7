package dev.yardmaster.config;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.text.GresItem;
import dev.yardmaster.model.text.GresList;
import dev.yardmaster.model.text.NotationException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Joins a node's Gres= with the lines of gres.conf that are for it, as slurmd does: Gres= decides
 * how many there are, gres.conf adds files, cores and links, and devices beyond the count are left
 * out. Nodes that are alike share one list.
 */
final class GresMerger {
  private final List<GresLine> lines;
  private final Set<String> gresTypes;
  private final Findings findings;
  private final Map<String, List<GresDevices>> known = new HashMap<>();
  private final Set<Object> told = new HashSet<>();

  GresMerger(List<GresLine> lines, List<String> gresTypes, Findings findings) {
    this.lines = lines;
    this.gresTypes = new LinkedHashSet<>(gresTypes);
    this.findings = findings;
  }

  /**
   * The devices of a node.
   *
   * @param said Gres= of its line, null when not given
   * @param head the line that describes it
   */
  List<GresDevices> devices(NodeSpec node, @Nullable Setting said, Setting head) {
    List<GresLine> own =
        lines.stream().filter(l -> !l.name().isEmpty() && l.isFor(node.name())).toList();
    if (own.isEmpty() && said == null) {
      return List.of();
    }
    var key = new StringBuilder(said == null ? "" : said.line() + said.file().toString());
    own.forEach(l -> key.append('/').append(lines.indexOf(l)));
    key.append('/').append(node.cores()).append('/').append(node.cpus());
    List<GresDevices> devices = known.get(key.toString());
    if (devices == null) {
      devices = merge(node, said, head, own);
      known.put(key.toString(), devices);
    }
    return devices;
  }

  private List<GresDevices> merge(
      NodeSpec node, @Nullable Setting said, Setting head, List<GresLine> own) {
    List<GresItem> items = said == null ? List.of() : items(said);
    List<GresLine> left = new ArrayList<>(own);
    List<GresDevices> devices = new ArrayList<>();
    Map<String, Integer> next = new LinkedHashMap<>();
    for (GresItem item : items) {
      List<GresLine> matching = take(left, item);
      int first = next.getOrDefault(item.name(), 0);
      if (item.count() == 0) {
        continue;
      }
      if (GresLine.isShared(item.name()) && matching.stream().anyMatch(l -> !l.files().isEmpty())) {
        for (GresLine line : matching) {
          devices.add(shared(item, line, node, first));
          first += (int) Math.min(Integer.MAX_VALUE - first, line.count());
        }
      } else {
        devices.add(typed(item, matching, node, first));
        first += (int) Math.min(Integer.MAX_VALUE - first, item.count());
      }
      next.put(item.name(), first);
    }
    report(left, items, node, said == null ? head : said);
    return withAllLinks(devices);
  }

  private List<GresItem> items(Setting said) {
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
      tell(said, Severity.FATAL, e.wrong(), "write for example gpu:h100:8");
      return List.of();
    }
  }

  private void check(Setting said, List<GresItem> items) {
    for (GresItem item : items) {
      if (!gresTypes.contains(item.name())) {
        String types =
            gresTypes.isEmpty() ? item.name() : String.join(",", gresTypes) + "," + item.name();
        tell(
            said,
            Severity.ERROR,
            item.name() + " is not in GresTypes; Slurm ignores it",
            "write GresTypes=" + types);
      }
      boolean mixed =
          items.stream()
              .anyMatch(
                  o -> o.name().equals(item.name()) && (o.type() == null) != (item.type() == null));
      if (mixed) {
        tell(
            said,
            Severity.FATAL,
            "some " + item.name() + " have a type and some have none",
            "give all of them a type, or none");
      }
    }
  }

  /** Moves the lines that describe an item out of what is left, until its count is reached. */
  private static List<GresLine> take(List<GresLine> left, GresItem item) {
    List<GresLine> taken = new ArrayList<>();
    long missing = item.count();
    for (GresLine line : List.copyOf(left)) {
      boolean same =
          line.name().equalsIgnoreCase(item.name())
              && (item.type() == null || item.type().equalsIgnoreCase(line.type()));
      if (same && missing > 0) {
        taken.add(line);
        left.remove(line);
        missing -= line.count();
      }
    }
    return taken;
  }

  private GresDevices shared(GresItem item, GresLine line, NodeSpec node, int first) {
    IndexSet cores = cores(line, node);
    return new GresDevices(
        item.name(),
        item.type(),
        line.count(),
        first,
        line.files(),
        cores == null ? List.of() : line.files().stream().map(f -> cores).toList(),
        List.of());
  }

  private GresDevices typed(GresItem item, List<GresLine> matching, NodeSpec node, int first) {
    List<String> files = new ArrayList<>();
    List<IndexSet> cores = new ArrayList<>();
    List<List<Integer>> links = new ArrayList<>();
    boolean anyCores = false;
    boolean anyLinks = false;
    IndexSet every = IndexSet.range(0, node.cores() - 1);
    for (GresLine line : matching) {
      IndexSet near = cores(line, node);
      anyCores |= near != null;
      anyLinks |= line.links() != null;
      long devices = Math.min(line.count(), item.count() - cores.size());
      for (int i = 0; i < devices && cores.size() < 65_536; i++) {
        if (i < line.files().size()) {
          files.add(line.files().get(i));
        }
        cores.add(near == null ? every : near);
        links.add(line.links() == null ? List.of() : line.links());
      }
    }
    // Devices that gres.conf does not mention are near every core.
    while (anyCores && cores.size() < item.count() && cores.size() < 65_536) {
      cores.add(every);
    }
    return new GresDevices(
        item.name(),
        item.type(),
        item.count(),
        first,
        files,
        anyCores ? cores : List.of(),
        anyLinks ? links : List.of());
  }

  /** Fills in what links leave open: none to another device, -1 to itself. */
  private static List<GresDevices> withAllLinks(List<GresDevices> devices) {
    List<GresDevices> result = new ArrayList<>();
    for (GresDevices d : devices) {
      if (d.links().isEmpty()) {
        result.add(d);
        continue;
      }
      long all =
          devices.stream()
              .filter(o -> o.name().equals(d.name()))
              .mapToLong(GresDevices::count)
              .sum();
      List<List<Integer>> links = new ArrayList<>();
      for (int i = 0; i < d.count() && i < 1024; i++) {
        List<Integer> given = i < d.links().size() ? d.links().get(i) : List.of();
        List<Integer> row = new ArrayList<>();
        for (int j = 0; j < all && j < 1024; j++) {
          row.add(j < given.size() ? given.get(j) : j == d.firstIndex() + i ? -1 : 0);
        }
        links.add(row);
      }
      result.add(
          new GresDevices(
              d.name(), d.type(), d.count(), d.firstIndex(), d.files(), d.cores(), links));
    }
    return List.copyOf(result);
  }

  private @Nullable IndexSet cores(GresLine line, NodeSpec node) {
    if (line.cores() == null || line.coresAt() == null) {
      return null;
    }
    IndexSet all = IndexSet.range(0, node.cores() - 1);
    IndexSet outside = line.cores().andNot(all);
    if (outside.isEmpty()) {
      return line.cores();
    }
    boolean threads =
        node.threadsPerCore() > 1
            && outside.stream().allMatch(i -> i < node.cores() * node.threadsPerCore());
    tell(
        line.coresAt(),
        Severity.ERROR,
        "node "
            + node.name()
            + " has the cores 0-"
            + (node.cores() - 1)
            + (threads
                ? "; " + outside + " are thread numbers, and Cores holds core indices"
                : "; there is no core " + outside),
        "write " + suggestion(line.cores().and(all)));
    IndexSet inside = line.cores().and(all);
    return inside.isEmpty() ? null : inside;
  }

  private static String suggestion(IndexSet inside) {
    return inside.isEmpty() ? "indices of cores" : "Cores=" + inside;
  }

  private void report(List<GresLine> left, List<GresItem> items, NodeSpec node, Setting at) {
    for (GresLine line : left) {
      List<GresItem> same =
          items.stream().filter(i -> i.name().equalsIgnoreCase(line.name())).toList();
      if (GresLine.isShared(line.name()) && same.isEmpty() && line.nodes() == null) {
        continue;
      }
      if (line.nodes() == null && same.isEmpty()) {
        // A line for all nodes describes only those that have the resource.
        continue;
      }
      String what = line.name() + (line.type() == null ? "" : ":" + line.type());
      tell(
          line.at(),
          Severity.WARNING,
          same.isEmpty()
              ? "node " + node.name() + " has no " + what + " in slurm.conf"
              : "node "
                  + node.name()
                  + " has fewer "
                  + what
                  + " in slurm.conf ("
                  + at.value()
                  + ")",
          "write Gres=" + what + ":" + line.count() + " on its NodeName line");
    }
  }

  /** Says the same of a line once, however many nodes it concerns. */
  private void tell(Setting at, Severity severity, String message, String suggestion) {
    if (told.add(List.of(at, severity, suggestion))) {
      findings.add(severity, at, message, suggestion);
    }
  }
}
