package dev.yardmaster.cli;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.NodeUse;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.text.HostList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Nodes, partitions and reservations in the structure of Slurm's data_parser. */
final class EntityJson {
  private final ClusterView view;

  EntityJson(ClusterView view) {
    this.view = view;
  }

  void nodes(DataDocument to, Collection<NodeUse> nodes) throws IOException {
    to.objects("nodes", nodes, new NodeJson(view)::write);
    to.time("last_update", view.time());
  }

  void partitions(DataDocument to, Collection<Partition> partitions) throws IOException {
    to.objects("partitions", partitions, new PartitionJson(view)::write);
    to.time("last_update", view.time());
  }

  void reservations(DataDocument to, Collection<Reservation> reservations) throws IOException {
    to.objects("reservations", reservations, this::reservation);
    to.time("last_update", view.time());
  }

  /** The rows of sinfo. */
  void rows(DataDocument to, Collection<SinfoRow> rows) throws IOException {
    to.objects("sinfo", rows, new SinfoJson(view)::write);
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
    to.text("burst_buffer", "");
    to.number("core_count", cores);
    to.list("core_specializations", List.of());
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
    to.text("tres", ReservationText.tres(r, view));
    to.text("users", String.join(",", r.users()));
  }
}
