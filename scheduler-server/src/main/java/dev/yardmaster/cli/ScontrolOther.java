package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NotationException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creating, deleting and updating of what is no job, partition or reservation. */
final class ScontrolOther {
  /** States that a node may be created in (scontrol(1)). */
  private static final Set<String> CREATED = Set.of("future", "cloud", "external");

  /** What a line of slurm.conf(5) may say of a node. */
  private static final Set<String> KEYS =
      Set.of(
          "bcastaddr",
          "boards",
          "corespeccount",
          "corespersocket",
          "cpubind",
          "cpus",
          "cpuspeclist",
          "feature",
          "features",
          "gres",
          "memspeclimit",
          "nodeaddr",
          "nodehostname",
          "nodename",
          "parameters",
          "port",
          "procs",
          "realmemory",
          "reason",
          "restrictedcorespergpu",
          "sockets",
          "socketsperboard",
          "state",
          "threadspercore",
          "tmpdisk",
          "topology",
          "weight");

  private final @Nullable String cluster;
  private final Io io;

  ScontrolOther(@Nullable String cluster, Io io) {
    this.cluster = cluster;
    this.io = io;
  }

  /**
   * Runs a command.
   *
   * @return its exit code; null when it is of something else
   */
  @Nullable Integer run(String keyword, List<String> words) throws CommandFailure {
    if (words.isEmpty()) {
      return null;
    }
    if (Scontrol.is(keyword, "update", 1)) {
      return new ScontrolSettings(cluster, io).update(words);
    }
    String first = words.getFirst();
    int equals = first.indexOf('=');
    String entity = (equals < 0 ? first : first.substring(0, equals)).toLowerCase(Locale.ROOT);
    if (entity.length() < 4 || !"nodename".startsWith(entity)) {
      return null;
    }
    if (Scontrol.is(keyword, "create", 2)) {
      return create(words);
    }
    if (Scontrol.is(keyword, "delete", 1) && (equals > 0 || words.size() > 1)) {
      return delete(first, equals < 0 ? words.get(1) : first.substring(equals + 1));
    }
    return null;
  }

  private int create(List<String> words) throws CommandFailure {
    boolean may =
        words.stream()
            .map(word -> word.toLowerCase(Locale.ROOT))
            .anyMatch(word -> word.startsWith("state=") && CREATED.contains(word.substring(6)));
    for (String word : words) {
      String key = word.substring(0, Math.max(0, word.indexOf('='))).toLowerCase(Locale.ROOT);
      if (!KEYS.contains(key)) {
        throw notCreated(
            "Failed to parse nodeline '" + String.join(" ", words) + "'", "Unspecified error");
      }
    }
    String name = words.getFirst().substring(words.getFirst().indexOf('=') + 1);
    if (!may || name.isEmpty()) {
      throw notCreated(
          "Only State=FUTURE, CLOUD, or EXTERNAL allowed for nodes created by scontrol",
          "Invalid node state specified");
    }
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      Map<String, Node> nodes = client.read(Selection.NODES).nodes();
      String most = client.config().getOrDefault("MaxNodeCount", "");
      for (String node : HostList.parse(name)) {
        if (nodes.containsKey(node)) {
          throw taken("Node already exists in the node table", node);
        }
        if (!most.matches("[0-9]{1,9}") || Integer.parseInt(most) <= nodes.size()) {
          throw taken("Unable to add node, node table is full", node);
        }
      }
    } catch (NotationException e) {
      throw notCreated("Invalid node name " + name, "Invalid node name specified");
    } catch (ClientException e) {
      throw new CommandFailure(1, "Error creating node(s): " + Session.words(e));
    }
    throw new CommandFailure(
        1,
        "Error creating node(s): Requested operation not supported on this system",
        Hint.of("write the node in slurm.conf, and say scontrol reconfigure"));
  }

  private static CommandFailure taken(String text, String node) {
    return notCreated(text + " (" + node + ")", text);
  }

  private static CommandFailure notCreated(String why, String text) {
    return new CommandFailure(1, "scontrol: error: " + why, "Error creating node(s): " + text);
  }

  /** Nodes of slurm.conf stay; others there are none. */
  private int delete(String word, String names) throws CommandFailure {
    String why = "Invalid node name specified";
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      Map<String, Node> nodes = client.read(Selection.NODES).nodes();
      boolean all = true;
      for (String name : HostList.parse(names)) {
        all &= nodes.containsKey(name);
      }
      why = all ? "Invalid node state specified" : why;
    } catch (NotationException e) {
      why = "Invalid node name specified";
    } catch (ClientException e) {
      why = Session.words(e);
    }
    throw new CommandFailure(
        1, "scontrol: error: failed to delete nodes " + names, "delete_node " + word + ": " + why);
  }
}
