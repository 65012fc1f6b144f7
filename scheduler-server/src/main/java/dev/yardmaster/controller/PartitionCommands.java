package dev.yardmaster.controller;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.TimeLimits;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** {@code scontrol create|update|delete partition}. */
final class PartitionCommands {
  private static final int LONGEST_NAME = 255;

  private PartitionCommands() {}

  static Reply update(Turn turn, Command.UpdatePartition command) {
    requireAdministrator(turn, command.by());
    Partition partition = existing(turn, command.partition());
    save(turn, partition, command.fields(), command.by());
    return new Reply.Done(List.of());
  }

  static Reply create(Turn turn, Command.CreatePartition command) {
    requireAdministrator(turn, command.by());
    String name = command.partition();
    if (turn.state().partitions().containsKey(name)) {
      throw new Refusal(
          SlurmError.INVALID_PARTITION_NAME, "\npartition " + name + " is there already");
    }
    if (name.length() > LONGEST_NAME) {
      throw new Refusal(
          SlurmError.INVALID_PARTITION_NAME,
          "\na partition's name has at most %d letters".formatted(LONGEST_NAME));
    }
    Partition made = Partition.withDefaults(name, List.of()).withMinNodes(1);
    save(turn, made, command.fields(), command.by());
    return new Reply.Done(List.of());
  }

  static Reply delete(Turn turn, Command.DeletePartition command) {
    requireAdministrator(turn, command.by());
    String name = existing(turn, command.partition()).name();
    for (Job job : turn.state().jobs().values()) {
      // One that only completes does not keep its partition.
      if (!job.state().isFinished() && job.partitions().contains(name)) {
        throw new Refusal(
            SlurmError.PARTITION_IN_USE, "\njob " + job.displayId() + " is in partition " + name);
      }
    }
    turn.emit(new Event.PartitionDeleted(turn.now(), name, command.by().user()));
    return new Reply.Done(List.of());
  }

  private static void requireAdministrator(Turn turn, Identity by) {
    if (!turn.settings().isAdministrator(by)) {
      throw new Refusal(SlurmError.INVALID_USER_ID, "\nonly an administrator may change it");
    }
  }

  private static Partition existing(Turn turn, String name) {
    Partition partition = turn.state().partitions().get(name);
    if (partition == null) {
      throw new Refusal(SlurmError.INVALID_PARTITION_NAME, "\nno partition is called " + name);
    }
    return partition;
  }

  /** Journals a partition with what was changed; a new default takes the place of the old one. */
  private static void save(
      Turn turn, Partition partition, Map<String, String> fields, Identity by) {
    Partition next = partition;
    for (Map.Entry<String, String> field : fields.entrySet()) {
      next = changed(turn, next, field.getKey(), field.getValue());
    }
    if (next.isDefault()) {
      for (Partition other : List.copyOf(turn.state().partitions().values())) {
        if (other.isDefault() && !other.name().equals(next.name())) {
          turn.emit(new Event.PartitionChanged(turn.now(), other.withIsDefault(false), by.user()));
        }
      }
    }
    turn.emit(new Event.PartitionChanged(turn.now(), next, by.user()));
    turn.requestPass();
  }

  private static Partition changed(Turn turn, Partition p, String name, String value) {
    return switch (name) {
      case "state" -> p.withState(state(value));
      case "maxtime" -> p.withMaxTimeMinutes(minutes(name, value));
      case "defaulttime" -> p.withDefaultTimeMinutes(minutes(name, value));
      case "minnodes" -> p.withMinNodes(number(name, value));
      case "maxnodes" ->
          p.withMaxNodes(
              value.toUpperCase(Locale.ROOT).matches("UNLIMITED|INFINITE")
                  ? Partition.UNLIMITED
                  : number(name, value));
      case "prioritytier" -> p.withPriorityTier(number(name, value));
      case "priorityjobfactor" -> p.withPriorityJobFactor(number(name, value));
      case "default" -> p.withIsDefault(yes(name, value));
      case "hidden" -> p.withHidden(yes(name, value));
      case "rootonly" -> p.withRootOnly(yes(name, value));
      case "reqresv" -> p.withReqResv(yes(name, value));
      case "lln" -> p.withLln(yes(name, value));
      case "oversubscribe", "shared" -> p.withOverSubscribe(value.toUpperCase(Locale.ROOT));
      case "allowaccounts" -> p.withAllowAccounts(names(value));
      case "denyaccounts" -> p.withDenyAccounts(names(value));
      case "allowgroups" -> p.withAllowGroups(names(value));
      case "allowqos" -> p.withAllowQos(qos(turn, names(value)));
      case "denyqos" -> p.withDenyQos(qos(turn, names(value)));
      case "qos" -> p.withQos(value.isEmpty() ? null : qos(turn, List.of(value)).getFirst());
      case "nodes" -> nodes(turn, p, value);
      case "topology" -> {
        if (value.isEmpty()) {
          TreeMap<String, String> without = new TreeMap<>(p.other());
          without.remove("Topology");
          yield p.withOther(Immutable.sortedMap(without));
        }
        ClusterConfig config = turn.state().config();
        boolean known =
            config.topology().name().equals(value)
                || config.otherTopologies().stream().anyMatch(t -> t.name().equals(value));
        if (!known) {
          throw new Refusal(SlurmError.REQUESTED_TOPO_CONFIG_UNAVAILABLE, "\nTopology=" + value);
        }
        TreeMap<String, String> other = new TreeMap<>(p.other());
        other.put("Topology", value);
        yield p.withOther(Immutable.sortedMap(other));
      }
      case "overtimelimit" -> p.withOther(overTimeLimit(p, value));
      default -> {
        Partition next = PartitionFields.changed(p, name, value);
        if (next == null) {
          throw new Refusal(
              SlurmError.COMMAND_VALUE,
              "Update of this parameter is not supported: "
                  + name
                  + "="
                  + value
                  + "\nRequest aborted");
        }
        yield next;
      }
    };
  }

  private static PartitionState state(String value) {
    try {
      return PartitionState.valueOf(value.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "Invalid input: state="
              + value
              + "\nAcceptable State values are UP, DOWN, DRAIN and INACTIVE");
    }
  }

  private static long minutes(String name, String value) {
    try {
      return TimeLimits.parseMinutes(value);
    } catch (IllegalArgumentException e) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE, "Invalid input: " + name + "=" + value + "\n" + e.getMessage());
    }
  }

  private static int number(String name, String value) {
    if (!value.matches("[0-9]{1,9}")) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "Invalid input: %s=%s\n%s takes a number".formatted(name, value, name));
    }
    return Integer.parseInt(value);
  }

  /** Minutes, UNLIMITED, or NONE for what the cluster says. */
  private static SortedMap<String, String> overTimeLimit(Partition partition, String value) {
    TreeMap<String, String> other = new TreeMap<>(partition.other());
    switch (value.toUpperCase(Locale.ROOT)) {
      case "NONE" -> other.remove("OverTimeLimit");
      case "UNLIMITED", "INFINITE" -> other.put("OverTimeLimit", "UNLIMITED");
      default -> other.put("OverTimeLimit", Integer.toString(number("overtimelimit", value)));
    }
    return Immutable.sortedMap(other);
  }

  private static boolean yes(String name, String value) {
    return switch (value.toUpperCase(Locale.ROOT)) {
      case "YES", "1" -> true;
      case "NO", "0" -> false;
      default ->
          throw new Refusal(
              SlurmError.COMMAND_VALUE,
              "Invalid input: %s=%s\nAcceptable values are YES and NO".formatted(name, value));
    };
  }

  /** QOS that there are. */
  private static List<String> qos(Turn turn, List<String> names) {
    for (String name : names) {
      if (turn.state().accounting().qosNamed(name) == null) {
        throw new Refusal(SlurmError.INVALID_QOS, "\nno QOS is called " + name);
      }
    }
    return names;
  }

  private static List<String> names(String value) {
    return value.isEmpty() || value.equalsIgnoreCase("ALL")
        ? List.of()
        : List.of(value.split(",", -1));
  }

  private static Partition nodes(Turn turn, Partition partition, String value) {
    char sign = value.isEmpty() || "+-".indexOf(value.charAt(0)) < 0 ? 0 : value.charAt(0);
    String list = sign == 0 ? value : value.substring(value.startsWith("=", 1) ? 2 : 1);
    List<String> names;
    try {
      names =
          list.equalsIgnoreCase("ALL")
              ? turn.state().nodesInOrder().stream().map(n -> n.name()).toList()
              : HostList.parse(list).expand();
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.INVALID_NODE_NAME, "\n" + e.getMessage());
    }
    for (String name : names) {
      if (turn.state().node(name) == null) {
        throw new Refusal(SlurmError.INVALID_NODE_NAME, "\nno node is called " + name);
      }
    }
    if (sign != 0) {
      TreeSet<String> all = new TreeSet<>(partition.nodes());
      if (sign == '+') {
        all.addAll(names);
      } else {
        names.forEach(all::remove);
      }
      names = List.copyOf(all);
    }
    List<String> ordered =
        turn.state().nodesInOrder().stream()
            .map(n -> n.name())
            .filter(new java.util.HashSet<>(names)::contains)
            .toList();
    return partition.withNodes(ordered).withNodesText(sign == 0 ? value : HostList.fold(ordered));
  }
}
