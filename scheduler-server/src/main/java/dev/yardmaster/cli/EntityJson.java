package dev.yardmaster.cli;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.NodeUse;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.text.HostList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Nodes, partitions and reservations in the structure of Slurm's data_parser/v0.0.43. */
final class EntityJson {
  private final ClusterView view;
  private final TresText tres;

  EntityJson(ClusterView view) {
    this.view = view;
    this.tres = new TresText(view);
  }

  void nodes(DataDocument to, Collection<NodeUse> nodes) throws IOException {
    to.objects("nodes", nodes, this::node);
    to.time("last_update", view.time());
  }

  void partitions(DataDocument to, Collection<Partition> partitions) throws IOException {
    to.objects("partitions", partitions, this::partition);
    to.time("last_update", view.time());
  }

  void reservations(DataDocument to, Collection<Reservation> reservations) throws IOException {
    to.objects("reservations", reservations, this::reservation);
    to.time("last_update", view.time());
  }

  private void node(DataDocument to, NodeUse use) throws IOException {
    NodeSpec spec = use.node().spec();
    NodeStatus status = use.node().status();
    to.text("architecture", "x86_64");
    to.number("boards", spec.boards());
    to.time("boot_time", status.bootTime());
    to.number("cores", spec.coresPerSocket());
    to.number("specialized_cores", spec.coreSpecCount());
    to.number("cpus", spec.cpus());
    to.number("effective_cpus", use.effectiveCpus());
    to.list("features", spec.availableFeatures());
    to.list("active_features", spec.features());
    to.text("gres", SinfoRow.gres(spec));
    to.text("gres_drained", "N/A");
    to.text("gres_used", SinfoRow.gresUsed(use));
    to.number("specialized_memory", spec.memSpecLimitMib());
    to.text("name", spec.name());
    to.text("address", spec.address());
    to.text("hostname", spec.hostname());
    to.list("state", states(use));
    to.text("operating_system", "");
    to.list("partitions", partitionsOf(spec.name()));
    to.number("port", spec.port());
    to.number("real_memory", spec.realMemoryMib());
    to.text("reason", status.reason());
    to.time("reason_changed_at", status.reasonTime());
    to.text("reason_set_by_user", status.reasonUser());
    to.number("alloc_memory", use.memoryMib());
    to.number("alloc_cpus", use.cpus());
    to.number("alloc_idle_cpus", Math.max(0, spec.cpus() - use.cpus()));
    to.time("slurmd_start_time", status.registered());
    to.number("sockets", spec.sockets());
    to.number("threads", spec.threadsPerCore());
    to.number("temporary_disk", spec.tmpDiskMib());
    to.number("weight", spec.weight());
    to.text("tres", tres.configured(spec));
    to.text("version", status.version());
  }

  private static List<String> states(NodeUse use) {
    List<String> states = new ArrayList<>(List.of(use.state().base().name()));
    use.state().flags().forEach(flag -> states.add(flag.name()));
    return states;
  }

  private List<String> partitionsOf(String node) {
    return view.partitions().values().stream()
        .filter(p -> p.nodes().contains(node))
        .map(Partition::name)
        .toList();
  }

  void partition(DataDocument to, Partition p) throws IOException {
    to.object(
        "nodes",
        o -> {
          o.text("allowed_allocation", "");
          o.text("configured", p.nodesText());
          o.number("total", p.nodes().size());
        });
    to.object(
        "accounts",
        o -> {
          o.text("allowed", String.join(",", p.allowAccounts()));
          o.text("deny", String.join(",", p.denyAccounts()));
        });
    to.object("groups", o -> o.text("allowed", String.join(",", p.allowGroups())));
    to.object(
        "qos",
        o -> {
          o.text("allowed", String.join(",", p.allowQos()));
          o.text("deny", String.join(",", p.denyQos()));
          o.text("assigned", p.qos());
        });
    long cpus =
        view.nodes().values().stream()
            .filter(n -> p.nodes().contains(n.name()))
            .mapToLong(n -> n.spec().cpus())
            .sum();
    to.object("cpus", o -> o.number("total", cpus));
    to.object(
        "defaults",
        o -> {
          o.set("partition_memory_per_cpu", p.defMemPerCpuMib());
          o.set("partition_memory_per_node", p.defMemPerNodeMib());
          o.set("time", p.defaultTimeMinutes());
        });
    to.list("flags", flags(p));
    to.object(
        "partition",
        o -> {
          o.text("oversubscribe", p.overSubscribe());
          o.list("state", List.of(p.state().name()));
        });
    to.object(
        "maximums",
        o -> {
          o.limit("cpus_per_node", p.maxCpusPerNode());
          o.set("partition_memory_per_cpu", p.maxMemPerCpuMib());
          o.set("partition_memory_per_node", p.maxMemPerNodeMib());
          o.limit("nodes", p.maxNodes());
          o.limit("time", p.maxTimeMinutes());
        });
    to.object("minimums", o -> o.number("nodes", p.minNodes()));
    to.text("name", p.name());
    to.object(
        "priority",
        o -> {
          o.number("job_factor", p.priorityJobFactor());
          o.number("tier", p.priorityTier());
        });
  }

  private static List<String> flags(Partition p) {
    List<String> flags = new ArrayList<>();
    Map<String, Boolean> all =
        Map.of(
            "DEFAULT", p.isDefault(),
            "HIDDEN", p.hidden(),
            "LLN", p.lln(),
            "REQ_RESV", p.reqResv(),
            "ROOT_ONLY", p.rootOnly());
    all.entrySet().stream()
        .filter(Map.Entry::getValue)
        .map(Map.Entry::getKey)
        .sorted()
        .forEach(flags::add);
    return flags;
  }

  private void reservation(DataDocument to, Reservation r) throws IOException {
    long cores =
        view.nodes().values().stream()
            .filter(n -> r.nodes().contains(n.name()))
            .mapToLong(
                n ->
                    r.cores().containsKey(n.name())
                        ? r.cores().get(n.name()).size()
                        : (long) n.spec().sockets() * n.spec().coresPerSocket())
            .sum();
    to.text("accounts", String.join(",", r.accounts()));
    to.number("core_count", cores);
    to.time("end_time", r.end());
    to.text("features", r.features());
    to.list("flags", r.flags().stream().map(f -> f.toUpperCase(Locale.ROOT)).toList());
    to.text("groups", String.join(",", r.groups()));
    List<String> licenses = new ArrayList<>();
    r.licenses().forEach((name, count) -> licenses.add(name + ":" + count));
    to.text("licenses", String.join(",", licenses));
    to.number("max_start_delay", r.maxStartDelaySeconds());
    to.text("name", r.name());
    to.number("node_count", r.nodes().size());
    to.text("node_list", HostList.fold(r.nodes()));
    to.text("partition", r.partition());
    to.object("purge_completed", o -> o.set("time", r.purgeSeconds()));
    to.time("start_time", r.start());
    to.text("users", String.join(",", r.users()));
  }

  /** The rows of sinfo. */
  void rows(DataDocument to, Collection<SinfoRow> rows) throws IOException {
    to.objects(
        "sinfo",
        rows,
        (o, row) -> {
          int[] nodes = row.nodeCounts();
          int[] cpus = row.cpuCounts();
          o.number("port", row.isEmpty() ? 0 : row.spec().port());
          o.object("node", n -> n.list("state", row.isEmpty() ? List.of() : states(row.first())));
          o.object(
              "nodes",
              n -> {
                n.number("allocated", nodes[0]);
                n.number("idle", nodes[1]);
                n.number("other", nodes[2]);
                n.number("total", nodes[3]);
                n.list("nodes", row.nodes().keySet());
              });
          o.object(
              "cpus",
              n -> {
                n.number("allocated", cpus[0]);
                n.number("idle", cpus[1]);
                n.number("other", cpus[2]);
                n.number("total", cpus[3]);
              });
          o.object(
              "gres",
              n -> {
                n.text("total", row.isEmpty() ? "" : SinfoRow.gres(row.spec()));
                n.text("used", row.isEmpty() ? "" : SinfoRow.gresUsed(row.first()));
              });
          o.object(
              "reason",
              n -> n.text("description", row.isEmpty() ? "" : row.node().status().reason()));
          o.object("partition", n -> partition(n, row.partition()));
        });
  }
}
