package dev.yardmaster.cli;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeMeasure;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.NodeUse;
import dev.yardmaster.model.Partition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A node as data, with all fields of Slurm's in their order. */
final class NodeJson {
  /** Slurm's name of no state. */
  private static final String INVALID = "INVALID";

  private final ClusterView view;
  private final TresText tres;

  NodeJson(ClusterView view) {
    this.view = view;
    this.tres = new TresText(view);
  }

  void write(DataDocument to, NodeUse use) throws IOException {
    Node node = use.node();
    NodeStatus status = node.status();
    hardware(to, node);
    to.number("cpus", node.spec().cpus());
    to.number("effective_cpus", use.effectiveCpus());
    to.text("specialized_cpus", "");
    to.object(
        "energy",
        energy -> {
          energy.number("average_watts", 0);
          energy.number("base_consumed_energy", 0);
          energy.number("consumed_energy", 0);
          energy.set("current_watts", 0L);
          energy.number("previous_consumed_energy", 0);
          energy.number("last_collected", 0);
        });
    to.text("extra", status.extra());
    to.list("features", node.spec().availableFeatures());
    to.list("active_features", node.spec().features());
    to.text("gpu_spec", "");
    to.text("gres", SinfoRow.gres(node.spec()));
    to.text("gres_drained", JobFacts.NOT_APPLICABLE);
    to.text("gres_used", SinfoRow.gresUsed(use));
    to.text("instance_id", status.instanceId());
    to.text("instance_type", status.instanceType());
    to.time("last_busy", node.measure().lastBusy());
    to.text("mcs_label", "");
    to.number("specialized_memory", node.spec().memSpecLimitMib());
    to.text("name", node.name());
    to.list("next_state_after_reboot", next(status));
    states(to, use);
    amounts(to, use);
  }

  private static void hardware(DataDocument to, Node node) throws IOException {
    NodeSpec spec = node.spec();
    NodeStatus status = node.status();
    NodeMeasure measure = node.measure();
    to.text("architecture", status.version().isEmpty() ? "" : "x86_64");
    to.text("burstbuffer_network_address", "");
    to.number("boards", spec.boards());
    to.time("boot_time", status.bootTime());
    to.time("tls_cert_last_renewal", null);
    to.list("cert_flags", List.of());
    to.text("cluster_name", "");
    to.number("cores", spec.coresPerSocket());
    to.number("specialized_cores", spec.coreSpecCount());
    to.number("cpu_binding", 0);
    to.number("cpu_load", measure.cpuLoadPercent());
    to.set("free_mem", measure.freeMib() < 0 ? null : measure.freeMib());
  }

  private static List<String> next(NodeStatus status) {
    boolean reboots = status.has(NodeFlag.REBOOT_REQUESTED) || status.has(NodeFlag.REBOOT_ISSUED);
    return List.of(reboots && !status.nextState().isEmpty() ? status.nextState() : INVALID);
  }

  private void states(DataDocument to, NodeUse use) throws IOException {
    NodeSpec spec = use.node().spec();
    NodeStatus status = use.node().status();
    to.text("address", spec.address());
    to.text("hostname", spec.hostname());
    to.list("state", states(use));
    to.text("operating_system", use.node().measure().system());
    to.text("owner", "");
    to.list("partitions", partitionsOf(spec.name()));
    to.number("port", spec.port());
    to.number("real_memory", spec.realMemoryMib());
    to.number("res_cores_per_gpu", 0);
    to.text("comment", status.comment());
    to.text("reason", status.reason());
    to.time("reason_changed_at", status.reasonTime());
    to.text("reason_set_by_user", status.reasonUser());
    to.time("resume_after", status.resumeAfter());
    to.text("reservation", "");
    to.limit("suspend_time", -1);
  }

  private void amounts(DataDocument to, NodeUse use) throws IOException {
    NodeSpec spec = use.node().spec();
    to.number("alloc_memory", use.memoryMib());
    to.number("alloc_cpus", use.cpus());
    to.number("alloc_idle_cpus", use.freeCpus());
    to.text("tres_used", tres.used(use));
    to.time("slurmd_start_time", NodeText.daemonStarted(use.node()));
    to.number("sockets", spec.sockets());
    to.number("threads", spec.threadsPerCore());
    to.number("temporary_disk", spec.tmpDiskMib());
    to.number("weight", spec.weight());
    to.text("topology", "");
    to.text("tres", tres.configured(spec));
    to.text("version", use.node().status().version());
  }

  /** The base state and its flags. */
  static List<String> states(NodeUse use) {
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
}
