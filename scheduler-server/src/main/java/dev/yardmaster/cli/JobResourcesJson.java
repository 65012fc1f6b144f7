package dev.yardmaster.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeShare;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a job holds on its nodes as data: cores of sockets, memory and devices. */
final class JobResourcesJson {
  private final ClusterView view;
  private final JobText text;

  JobResourcesJson(ClusterView view) {
    this.view = view;
    text = new JobText(new TresText(view), true, true);
  }

  private static @Nullable Allocation held(JobFacts row) {
    return row.job().holdsResources() && !row.isPending() ? row.job().allocation() : null;
  }

  /** The devices it has on each of its nodes. */
  List<String> gres(JobFacts row) {
    Allocation allocation = held(row);
    return allocation == null
        ? List.of()
        : allocation.shares().stream().map(text::gres).filter(list -> !list.isEmpty()).toList();
  }

  void write(DataDocument to, JobFacts row) throws IOException {
    Allocation allocation = held(row);
    if (allocation == null) {
      to.out().writeNullField("job_resources");
      return;
    }
    long cpus = allocation.shares().stream().mapToLong(NodeShare::cpus).sum();
    to.object(
        "job_resources",
        resources -> {
          resources.list("select_type", List.of("CR_CORE_MEMORY"));
          resources.object("nodes", nodes -> nodes(nodes, row, allocation));
          resources.number("cpus", cpus);
          int threads = row.job().request().threadsPerCore();
          resources.set("threads_per_core", threads == 0 ? null : Long.valueOf(threads));
        });
  }

  private void nodes(DataDocument to, JobFacts row, Allocation allocation) throws IOException {
    to.number("count", allocation.shares().size());
    to.list("select_type", List.of("ONE_ROW"));
    to.text("list", row.nodes().toString());
    to.out().writeBooleanField("whole", row.job().request().exclusivity() == Exclusivity.NODE);
    JsonGenerator out = to.out();
    out.writeArrayFieldStart("allocation");
    int index = 0;
    for (NodeShare share : allocation.shares()) {
      out.writeStartObject();
      to.number("index", index++);
      to.text("name", share.node());
      to.object(
          "cpus",
          cpus -> {
            cpus.number("count", share.cpus());
            cpus.number("used", 0);
          });
      to.object(
          "memory",
          memory -> {
            memory.number("used", 0);
            memory.number("allocated", share.memoryMib());
          });
      sockets(to, share);
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private void sockets(DataDocument to, NodeShare share) throws IOException {
    Node node = view.nodes().get(share.node());
    int perSocket = node == null ? 0 : node.spec().coresPerSocket();
    int sockets = node == null ? 0 : node.spec().sockets();
    JsonGenerator out = to.out();
    out.writeArrayFieldStart("sockets");
    for (int socket = 0; socket < sockets; socket++) {
      out.writeStartObject();
      to.number("index", socket);
      out.writeArrayFieldStart("cores");
      for (int core = 0; core < perSocket; core++) {
        boolean held = share.cores().contains(socket * perSocket + core);
        out.writeStartObject();
        to.number("index", core);
        to.list("status", List.of(held ? "ALLOCATED" : "UNALLOCATED"));
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
    out.writeEndArray();
  }
}
