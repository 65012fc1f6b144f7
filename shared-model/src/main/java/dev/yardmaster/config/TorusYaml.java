package dev.yardmaster.config;

import dev.yardmaster.model.Topology;
import dev.yardmaster.model.Topology.Triple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the tori of topology.yaml(5): their nodes by place, and the boxes that jobs get. */
final class TorusYaml {
  /** More places than this are taken for a mistake. */
  private static final long MOST_CELLS = 1_000_000;

  private static final Triple NONE = new Triple(0, 0, 0);

  private final TopologyYaml yaml;

  TorusYaml(TopologyYaml yaml) {
    this.yaml = yaml;
  }

  Topology read(String name, TopologyYaml.Fields body) {
    List<Topology.TorusUnit> tori = new ArrayList<>();
    Set<String> names = new HashSet<>();
    Set<String> used = new HashSet<>();
    for (TopologyYaml.Fields item : yaml.items(body, "toruses")) {
      String own = yaml.setting(item, "name").value();
      if (own.isEmpty() || !names.add(own)) {
        yaml.fatal(item.line(), "name", "\"" + own + "\" is no name of its own", "name each torus");
        continue;
      }
      Topology.TorusUnit torus = torus(own, item);
      if (torus != null) {
        for (String node : torus.cells()) {
          if (!node.isEmpty() && !used.add(node)) {
            yaml.fatal(item.line(), own, "node " + node + " has two places", "give it one place");
          }
        }
        tori.add(torus);
      }
    }
    if (tori.isEmpty()) {
      yaml.fatal(body.line(), "toruses", "no torus is described", "write name, dims and nodes");
    }
    return new Topology.Torus(name, tori);
  }

  private Topology.@Nullable TorusUnit torus(String name, TopologyYaml.Fields item) {
    Triple size = triple(item, "dims", null);
    if (size == null || size.product() <= 0 || size.product() > MOST_CELLS) {
      yaml.fatal(item.line(), "dims", "the torus " + name + " has no size", "write x, y and z");
      return null;
    }
    String[] cells = new String[(int) size.product()];
    Arrays.fill(cells, "");
    Setting all = yaml.setting(item, "nodes");
    List<TopologyYaml.Fields> regions = yaml.items(item, "regions");
    if (!all.value().isEmpty() && !regions.isEmpty()) {
      yaml.fatal(item.line(), "nodes", "has nodes and regions", "write one of them");
    } else if (regions.isEmpty()) {
      fill(cells, size, NONE, size, all);
    }
    for (TopologyYaml.Fields region : regions) {
      Triple anchor = triple(region, "anchor", NONE);
      Triple dims = triple(region, "dims", null);
      if (anchor == null || dims == null || !lies(anchor, dims, size)) {
        yaml.fatal(region.line(), "dims", "the region does not lie in " + size, "make it smaller");
      } else {
        fill(cells, size, anchor, dims, yaml.setting(region, "nodes"));
      }
    }
    List<Topology.Box> boxes = new ArrayList<>();
    for (TopologyYaml.Fields placement : yaml.items(item, "placements")) {
      Topology.Box box = box(placement, size);
      if (box != null) {
        boxes.add(box);
      }
    }
    return new Topology.TorusUnit(name, size, List.of(cells), boxes);
  }

  private static boolean lies(Triple anchor, Triple dims, Triple size) {
    return dims.product() > 0
        && anchor.x() + dims.x() <= size.x()
        && anchor.y() + dims.y() <= size.y()
        && anchor.z() + dims.z() <= size.z();
  }

  private Topology.@Nullable Box box(TopologyYaml.Fields item, Triple size) {
    Triple dims = triple(item, "dims", null);
    Triple seed = triple(item, "anchor_seed", NONE);
    Triple given = triple(item, "anchor_spacing", dims);
    if (dims == null || seed == null || given == null || !lies(NONE, dims, size)) {
      yaml.fatal(item.line(), "dims", "the placement does not lie in " + size, "make it smaller");
      return null;
    }
    Triple spacing =
        new Triple(
            given.x() == 0 ? dims.x() : given.x(),
            given.y() == 0 ? dims.y() : given.y(),
            given.z() == 0 ? dims.z() : given.z());
    if (!lies(NONE, spacing, size) || !lies(seed, new Triple(1, 1, 1), size)) {
      yaml.fatal(item.line(), "anchor_spacing", "lies outside of " + size, "make it smaller");
      return null;
    }
    return new Topology.Box(dims, seed, spacing);
  }

  private void fill(String[] cells, Triple size, Triple anchor, Triple dims, Setting at) {
    List<String> names = yaml.names(at);
    if (names.size() != dims.product()) {
      yaml.fatal(
          at.line(),
          "nodes",
          names.size() + " nodes for " + dims.product() + " places",
          "name a node for each place of " + dims);
      return;
    }
    int next = 0;
    for (int z = anchor.z(); z < anchor.z() + dims.z(); z++) {
      for (int y = anchor.y(); y < anchor.y() + dims.y(); y++) {
        for (int x = anchor.x(); x < anchor.x() + dims.x(); x++) {
          int cell = x + size.x() * (y + size.y() * z);
          if (!cells[cell].isEmpty()) {
            yaml.fatal(at.line(), "nodes", "regions overlap", "move one of them");
            return;
          }
          cells[cell] = names.get(next++);
        }
      }
    }
  }

  /** Three counts; the usual ones where the key is missing, null where they are no counts. */
  private @Nullable Triple triple(TopologyYaml.Fields item, String key, @Nullable Triple usual) {
    TopologyYaml.Value value = item.fields().get(key);
    if (value == null) {
      return usual;
    }
    if (!(value instanceof TopologyYaml.Fields fields)) {
      return null;
    }
    int[] counts = new int[3];
    for (int i = 0; i < 3; i++) {
      String text = yaml.setting(fields, String.valueOf("xyz".charAt(i))).value();
      if (!text.matches("[0-9]{1,6}") && !text.isEmpty()) {
        return null;
      }
      counts[i] = text.isEmpty() ? 0 : Integer.parseInt(text);
    }
    return new Triple(counts[0], counts[1], counts[2]);
  }
}
