package dev.yardmaster.cli;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.NodeMeasure;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.NodeUse;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.function.ToLongFunction;

/** A line of sinfo as data, with all fields of Slurm's in their order. */
final class SinfoJson {
  private final PartitionJson partitions;

  SinfoJson(ClusterView view) {
    partitions = new PartitionJson(view);
  }

  void write(DataDocument to, SinfoRow row) throws IOException {
    int[] nodes = row.nodeCounts();
    boolean none = row.isEmpty();
    to.number("port", none ? 0 : row.spec().port());
    to.object("node", n -> n.list("state", none ? List.of() : NodeJson.states(row.first())));
    to.object(
        "nodes",
        n -> {
          n.number("allocated", nodes[0]);
          n.number("idle", nodes[1]);
          n.number("other", nodes[2]);
          n.number("total", nodes[3]);
          n.list("hostnames", List.of());
          n.list("addresses", List.of());
          n.list("nodes", row.nodes().keySet());
        });
    sizes(to, row);
    to.object(
        "features",
        n -> {
          n.text("total", none ? "" : String.join(",", row.spec().availableFeatures()));
          n.text("active", none ? "" : String.join(",", row.spec().features()));
        });
    to.object(
        "gres",
        n -> {
          n.text("total", none ? "" : SinfoRow.gres(row.spec()));
          n.text("used", none ? "" : SinfoRow.gresUsed(row.first()));
        });
    NodeStatus status = none ? NodeStatus.unknown() : row.node().status();
    to.text("cluster", "");
    to.text("comment", status.comment());
    to.text("extra", status.extra());
    Instant since = status.reasonTime();
    to.object(
        "reason",
        n -> {
          n.text("description", status.reason());
          n.number("time", since == null ? 0 : since.getEpochSecond());
        });
    to.text("reservation", "");
    to.text("reason_set_by_user", status.reasonUser());
    to.object(
        "resource_spec",
        n -> {
          n.text("cpus", "");
          n.number("memory", 0);
        });
    to.object("partition", n -> partitions.write(n, row.partition()));
  }

  private static void sizes(DataDocument to, SinfoRow row) throws IOException {
    int[] cpus = row.cpuCounts();
    to.object(
        "cpus",
        n -> {
          n.number("allocated", cpus[0]);
          n.number("idle", cpus[1]);
          n.number("other", cpus[2]);
          n.number("total", cpus[3]);
          ends(n, row, use -> use.node().spec().cpus());
          n.object("load", l -> measured(l, row, NodeMeasure::cpuLoadPercent));
          n.object("per_node", l -> l.limit("max", row.partition().maxCpusPerNode()));
        });
    size(to, "sockets", row, NodeSpec::sockets);
    size(to, "cores", row, NodeSpec::coresPerSocket);
    size(to, "threads", row, NodeSpec::threadsPerCore);
    size(to, "disk", row, NodeSpec::tmpDiskMib);
    to.object(
        "memory",
        n -> {
          ends(n, row, use -> use.node().spec().realMemoryMib());
          n.object(
              "free",
              f -> {
                long least = row.uses().stream().mapToLong(SinfoJson::free).min().orElse(-1);
                long most = row.uses().stream().mapToLong(SinfoJson::free).max().orElse(-1);
                f.set("minimum", least < 0 ? null : least);
                f.set("maximum", most < 0 ? null : most);
              });
          n.number("allocated", row.isEmpty() ? 0 : row.first().memoryMib());
        });
    size(to, "weight", row, NodeSpec::weight);
  }

  private static long free(NodeUse use) {
    return use.node().measure().freeMib();
  }

  private static void size(
      DataDocument to, String name, SinfoRow row, ToLongFunction<NodeSpec> value)
      throws IOException {
    to.object(name, n -> ends(n, row, use -> value.applyAsLong(use.node().spec())));
  }

  private static void measured(DataDocument to, SinfoRow row, ToLongFunction<NodeMeasure> value)
      throws IOException {
    ends(to, row, use -> value.applyAsLong(use.node().measure()));
  }

  private static void ends(DataDocument to, SinfoRow row, ToLongFunction<NodeUse> value)
      throws IOException {
    to.number("minimum", row.uses().stream().mapToLong(value).min().orElse(0));
    to.number("maximum", row.uses().stream().mapToLong(value).max().orElse(0));
  }
}
