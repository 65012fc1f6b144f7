package dev.yardmaster.config;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.text.GresItem;
import dev.yardmaster.model.text.HostList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Joins a node's Gres= with the lines of gres.conf that are for it, as slurmd does: Gres= decides
 * how many there are, gres.conf adds files, cores and links, and devices beyond the count are left
 * out. Nodes that are alike share one list.
 */
final class GresMerger {
  private final List<GresLine> lines;
  private final NodeGres nodeGres;
  private final OncePerPlace findings;
  private final Map<String, List<GresDevices>> known = new HashMap<>();
  private final Map<String, List<Integer>> linesOf = new HashMap<>();
  private final List<Integer> linesOfAll = new ArrayList<>();
  private final List<GresLine> detecting;

  GresMerger(
      List<GresLine> lines, List<String> gresTypes, Collection<String> nodes, Findings findings) {
    this.lines = lines;
    this.detecting = lines.stream().filter(l -> !l.autoDetect().isEmpty()).toList();
    this.findings = new OncePerPlace(findings);
    this.nodeGres = new NodeGres(gresTypes, this.findings);
    for (int i = 0; i < lines.size(); i++) {
      HostList own = lines.get(i).nodes();
      int index = i;
      if (lines.get(i).name().isEmpty()) {
        continue;
      } else if (own == null) {
        linesOfAll.add(i);
      } else {
        Stream<String> names =
            own.size() < nodes.size() ? own.stream() : nodes.stream().filter(own::contains);
        names.forEach(n -> linesOf.computeIfAbsent(n, k -> new ArrayList<>()).add(index));
      }
    }
  }

  /**
   * The devices of a node.
   *
   * @param said Gres= of its line, null when not given
   * @param head the line that describes it
   */
  List<GresDevices> devices(NodeSpec node, @Nullable Setting said, Setting head) {
    var own = new TreeSet<>(linesOfAll);
    own.addAll(linesOf.getOrDefault(node.name(), List.of()));
    if (own.isEmpty() && said == null) {
      return List.of();
    }
    String key =
        (said == null ? "" : said.line() + " " + said.file())
            + own
            + detects(node.name())
            + node.cores()
            + " "
            + node.cpus();
    List<GresDevices> devices = known.get(key);
    if (devices == null) {
      devices = merge(node, said, head, own.stream().map(lines::get).toList());
      known.put(key, devices);
    }
    return devices;
  }

  private List<GresDevices> merge(
      NodeSpec node, @Nullable Setting said, Setting head, List<GresLine> own) {
    List<GresItem> items = said == null ? List.of() : nodeGres.items(said);
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
        checkFiles(item, matching, node, said);
        devices.add(typed(item, matching, node, first));
        first += (int) Math.min(Integer.MAX_VALUE - first, item.count());
      }
      next.put(item.name(), first);
    }
    report(left, items, node, said == null ? head : said);
    return DeviceLinks.completed(devices);
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
        anyLinks ? links : List.of(),
        !matching.isEmpty() && files.isEmpty() && !detects(node.name()));
  }

  /**
   * A node's daemon wants a file for every device, or for none; AutoDetect finds what is missing.
   */
  private void checkFiles(
      GresItem item, List<GresLine> matching, NodeSpec node, @Nullable Setting said) {
    long files = matching.stream().mapToLong(l -> l.files().size()).sum();
    if (said != null && files > 0 && files < item.count() && !detects(node.name())) {
      findings.tell(
          said,
          "files " + item.name() + " " + item.type(),
          Severity.ERROR,
          "gres.conf names devices for " + files + " of the " + item.count() + " " + item.name(),
          "name the others with File=, or write AutoDetect=nvml in gres.conf");
    }
  }

  private boolean detects(String node) {
    String global = "";
    String own = "";
    for (GresLine line : detecting) {
      HostList nodes = line.nodes();
      if (nodes == null) {
        global = line.autoDetect();
      } else if (nodes.contains(node)) {
        own = line.autoDetect();
      }
    }
    String detect = own.isEmpty() ? global : own;
    return !detect.isEmpty() && !detect.equals("off");
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
    findings.tell(
        line.coresAt(),
        "cores " + outside,
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
      if (same.isEmpty() && line.nodes() == null) {
        // A line for all nodes describes only those that have the resource.
        continue;
      }
      String what = line.name() + (line.type() == null ? "" : ":" + line.type());
      boolean typed =
          same.stream().anyMatch(i -> i.type() == null || i.type().equalsIgnoreCase(line.type()));
      String problem =
          same.isEmpty()
              ? "no " + line.name()
              : typed
                  ? "fewer " + what
                  : "no "
                      + line.name()
                      + (line.type() == null ? " without a type" : " of that type");
      findings.tell(
          line.at(),
          problem,
          Severity.WARNING,
          "node " + node.name() + " has " + problem + " in slurm.conf; the line is not used",
          "write " + what + ":" + line.count() + " in Gres= at " + at.file() + ":" + at.line());
    }
  }
}
