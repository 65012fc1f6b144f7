package dev.yardmaster.controller;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeChanges;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.GresItem;
import dev.yardmaster.model.text.GresList;
import dev.yardmaster.model.text.HostList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The fields of {@code scontrol update node} that are about what a node is rather than about its
 * state (scontrol(1), "Specifications for update command, nodes").
 */
final class NodeEdits {
  static final Set<String> FIELDS =
      Set.of(
          "comment",
          "extra",
          "weight",
          "features",
          "availablefeatures",
          "activefeatures",
          "gres",
          "instanceid",
          "instancetype",
          "nodeaddr",
          "nodehostname",
          // These two are taken and have no effect.
          "cpubind",
          "certtoken");

  private final Map<String, String> fields;
  private final @Nullable List<String> instanceIds;
  private final @Nullable List<String> instanceTypes;
  private final @Nullable List<String> addresses;
  private final @Nullable List<String> hostnames;

  /**
   * @param count how many nodes are changed
   */
  NodeEdits(Map<String, String> fields, int count) {
    this.fields = fields;
    instanceIds = names("instanceid", count, true);
    instanceTypes = names("instancetype", count, true);
    addresses = names("nodeaddr", count, false);
    hostnames = names("nodehostname", count, false);
  }

  /** One name for each node, or one for all where that is allowed. */
  private @Nullable List<String> names(String field, int count, boolean oneForAll) {
    String value = fields.get(field);
    if (value == null || value.isEmpty()) {
      return null;
    }
    List<String> names;
    try {
      names = HostList.parse(value).expand();
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.INVALID_NODE_NAME, "\n" + field + ": " + e.getMessage());
    }
    if (names.size() != count && !(oneForAll && names.size() == 1)) {
      throw new Refusal(
          SlurmError.INVALID_NODE_NAME,
          "\n%s=%s: %d names for %d nodes".formatted(field, value, names.size(), count));
    }
    return names;
  }

  private static @Nullable String at(@Nullable List<String> names, int index) {
    return names == null ? null : names.get(names.size() == 1 ? 0 : index);
  }

  /**
   * A node's status after the edits.
   *
   * @param index which of the nodes it is
   */
  NodeStatus applied(Node node, NodeStatus status, int index) {
    NodeChanges before = status.changes();
    NodeChanges changes = changes(node.spec(), before == null ? NodeChanges.NONE : before, index);
    String id = at(instanceIds, index);
    String type = at(instanceTypes, index);
    return status.with(
        s ->
            s.comment(fields.getOrDefault("comment", status.comment()))
                .extra(fields.getOrDefault("extra", status.extra()))
                .instanceId(
                    id == null ? fields.getOrDefault("instanceid", status.instanceId()) : id)
                .instanceType(
                    type == null
                        ? fields.getOrDefault("instancetype", status.instanceType())
                        : type)
                .changes(changes.equals(NodeChanges.NONE) ? null : changes));
  }

  private NodeChanges changes(NodeSpec spec, NodeChanges before, int index) {
    NodeChanges next = features(spec, before);
    String weight = fields.get("weight");
    if (weight != null) {
      next = next.withWeight(weight(weight));
    }
    String gres = fields.get("gres");
    if (gres != null) {
      next = next.withGres(gres(spec, gres));
    }
    String address = at(addresses, index);
    String hostname = at(hostnames, index);
    if (address != null) {
      next = next.withAddress(address);
    }
    return hostname == null ? next : next.withHostname(hostname);
  }

  private static int weight(String value) {
    if (!value.matches("[0-9]{1,10}") || Long.parseLong(value) > Integer.MAX_VALUE) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "Invalid value weight=" + value + " for Weight\nweight is a number from 0");
    }
    return Integer.parseInt(value);
  }

  /**
   * What a node has at present must be a part of what it could have; without a list of what it has
   * at present it has all, if it does not lose anything by that.
   */
  private NodeChanges features(NodeSpec spec, NodeChanges before) {
    String available = fields.getOrDefault("availablefeatures", fields.get("features"));
    String active = fields.get("activefeatures");
    if (available == null && active == null) {
      return before;
    }
    List<String> could = available == null ? spec.availableFeatures() : list(available);
    List<String> has = active == null ? spec.features() : list(active);
    if (!could.containsAll(has)) {
      TreeSet<String> surplus = new TreeSet<>(has);
      surplus.removeAll(could);
      throw new Refusal(
          SlurmError.ACTIVE_FEATURE_NOT_SUBSET,
          "\n" + spec.name() + " has " + String.join(",", surplus));
    }
    List<String> after = active == null ? could : has;
    return before.withActive(after).withAvailable(could.equals(after) ? null : could);
  }

  private static List<String> list(String text) {
    Set<String> words = new LinkedHashSet<>(List.of(text.split(",", -1)));
    words.remove("");
    return List.copyOf(words);
  }

  /**
   * Devices that can be told apart stay as many as they are, or none is left; others may be any
   * number.
   */
  private static List<GresDevices> gres(NodeSpec spec, String text) {
    GresList wanted;
    try {
      wanted = GresList.parse(text);
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.INVALID_GRES, "\ngres=" + text + ": " + e.getMessage());
    }
    List<GresDevices> changed = new ArrayList<>();
    Map<String, Long> had = new LinkedHashMap<>();
    spec.gres().forEach(g -> had.merge(g.name(), g.count(), Long::sum));
    had.forEach(
        (name, count) -> {
          List<GresDevices> devices =
              spec.gres().stream().filter(g -> g.name().equals(name)).toList();
          long after = wanted.count(name);
          boolean fixed = devices.stream().anyMatch(GresDevices::haveIndices);
          if (fixed && after != 0 && after != count) {
            throw new Refusal(
                SlurmError.INVALID_GRES,
                "\ngres=%s: %s has %d %s with files of their own"
                    .formatted(text, spec.name(), count, name));
          }
          if (after == count) {
            changed.addAll(devices);
          }
        });
    for (GresItem item : wanted) {
      boolean same = had.getOrDefault(item.name(), 0L) == wanted.count(item.name());
      if (!same && item.count() > 0) {
        changed.add(
            new GresDevices(
                item.name(), item.type(), item.count(), 0, List.of(), List.of(), List.of(), true));
      }
    }
    return changed;
  }
}
