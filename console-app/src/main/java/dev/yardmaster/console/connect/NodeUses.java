package dev.yardmaster.console.connect;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Reservation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Works out what jobs hold on each node. */
final class NodeUses {
  private final Map<String, List<Held>> held = new HashMap<>();

  private record Held(Job job, NodeShare share) {}

  private NodeUses(List<Job> jobs) {
    for (Job job : jobs) {
      if (job.holdsResources() && job.allocation() != null) {
        for (NodeShare share : job.allocation().shares()) {
          held.computeIfAbsent(share.node(), n -> new ArrayList<>()).add(new Held(job, share));
        }
      }
    }
  }

  static List<NodeUse> of(ClusterView view, List<Job> jobs, Instant now) {
    NodeUses uses = new NodeUses(jobs);
    Map<String, String> reserved = reservedNow(view.reservations().values(), now);
    return view.nodes().values().stream()
        .map(node -> uses.use(node, reserved.get(node.name())))
        .toList();
  }

  private NodeUse use(Node node, @Nullable String reservation) {
    List<Held> here = held.getOrDefault(node.name(), List.of());
    int cpus = here.stream().mapToInt(h -> h.share().cpus()).sum();
    return new NodeUse(
        node,
        NodeGroup.of(node, cpus, reservation != null),
        cpus,
        here.stream().mapToLong(h -> h.share().memoryMib()).sum(),
        here.stream().map(Held::job).toList(),
        gpuJobs(node, here),
        reservation);
  }

  /** Shares without device numbers take the GPUs that are left, so that the number is right. */
  private static List<@Nullable Job> gpuJobs(Node node, List<Held> here) {
    @Nullable Job[] gpus = new Job[(int) node.spec().gresCount("gpu")];
    for (Held one : here) {
      for (GresShare gres : gpuShares(one.share())) {
        gres.devices().stream().filter(i -> i < gpus.length).forEach(i -> gpus[i] = one.job());
      }
    }
    for (Held one : here) {
      for (GresShare gres : gpuShares(one.share())) {
        long left = gres.devices().isEmpty() ? gres.count() : 0;
        for (int i = 0; i < gpus.length && left > 0; i++) {
          if (gpus[i] == null) {
            gpus[i] = one.job();
            left--;
          }
        }
      }
    }
    List<@Nullable Job> list = new ArrayList<>(gpus.length);
    for (Job job : gpus) {
      list.add(job);
    }
    return list;
  }

  private static List<GresShare> gpuShares(NodeShare share) {
    return share.gres().stream().filter(gres -> gres.name().equals("gpu")).toList();
  }

  private static Map<String, String> reservedNow(
      Collection<Reservation> reservations, Instant now) {
    Map<String, String> reserved = new TreeMap<>();
    for (Reservation reservation : reservations) {
      if (!now.isBefore(reservation.start()) && now.isBefore(reservation.end())) {
        reservation.nodes().forEach(node -> reserved.putIfAbsent(node, reservation.name()));
      }
    }
    return reserved;
  }
}
