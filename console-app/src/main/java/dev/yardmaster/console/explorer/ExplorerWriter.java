package dev.yardmaster.console.explorer;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.NodeUse;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.connect.UnitCount;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.ExplorerItem;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import dev.yardmaster.model.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes the lines of the explorer tree. Immutable; may be used by any thread. */
public final class ExplorerWriter {
  /** Jobs that need attention beyond this many are told by their number. */
  static final int MAX_JOBS = 12;

  /** Nodes of a partition beyond this many are told by their number. */
  static final int MAX_NODES = 256;

  private final Terms terms;

  public ExplorerWriter(Terms terms) {
    this.terms = terms;
  }

  /** The top lines of the tree. */
  public List<ExplorerItem> tree(Snapshot snapshot) {
    return List.of(
        partitions(snapshot),
        nodes(snapshot),
        attention(snapshot),
        accounts(snapshot),
        reservations(snapshot));
  }

  private ExplorerItem partitions(Snapshot snapshot) {
    List<ExplorerItem> lines = new ArrayList<>();
    for (Partition partition : snapshot.partitions().values()) {
      UnitCount gpus = snapshot.gpusOf(partition);
      String detail =
          gpus.total() == 0
              ? terms.text(ExplorerText.NODES_COUNT, partition.nodes().size())
              : terms.text(ExplorerText.GPUS_FREE, gpus.free());
      lines.add(
          ExplorerItem.leaf(
              "partition/" + partition.name(),
              partition.name(),
              detail,
              tone(partition, gpus),
              Items.partition(partition.name())));
    }
    return ExplorerItem.group(
        "partitions", terms.text(ExplorerText.PARTITIONS), count(lines.size()), lines);
  }

  private static Tone tone(Partition partition, UnitCount gpus) {
    if (!partition.state().startsJobs()) {
      return Tone.BLOCKED;
    }
    if (partition.state() != PartitionState.UP) {
      return Tone.ATTENTION;
    }
    return gpus.total() == 0 || gpus.free() > 0 ? Tone.GOOD : Tone.NEUTRAL;
  }

  private ExplorerItem nodes(Snapshot snapshot) {
    List<ExplorerItem> groups = new ArrayList<>();
    for (Partition partition : snapshot.partitions().values()) {
      List<NodeUse> uses = snapshot.nodesOf(partition);
      String prefix = "nodes/" + partition.name();
      List<ExplorerItem> lines = new ArrayList<>();
      for (NodeUse use : uses.subList(0, Math.min(uses.size(), MAX_NODES))) {
        lines.add(node(prefix, use));
      }
      if (uses.size() > MAX_NODES) {
        lines.add(more(prefix, uses.size() - MAX_NODES));
      }
      groups.add(
          ExplorerItem.group(prefix, partition.name(), count(uses.size()), lines).collapsed());
    }
    return ExplorerItem.group(
            "nodes", terms.text(ExplorerText.NODES), count(snapshot.nodes().size()), groups)
        .collapsed();
  }

  private ExplorerItem node(String prefix, NodeUse use) {
    UnitCount gpus = use.gpus();
    String detail =
        gpus.total() > 0 && use.group().takesWork()
            ? terms.text(ExplorerText.GPUS_FREE, gpus.free())
            : terms.group(use.group());
    return ExplorerItem.leaf(
        prefix + "/" + use.name(),
        use.name(),
        detail,
        terms.tone(use.group()),
        Items.node(use.name()));
  }

  private ExplorerItem attention(Snapshot snapshot) {
    List<Job> jobs = snapshot.jobs().stream().filter(Terms::needsAttention).toList();
    List<ExplorerItem> lines = new ArrayList<>();
    for (Job job : jobs.subList(0, Math.min(jobs.size(), MAX_JOBS))) {
      lines.add(
          ExplorerItem.leaf(
              "attention/" + job.id(),
              job.displayId() + " " + job.name(),
              "",
              Tone.ATTENTION,
              Items.job(job)));
    }
    if (jobs.size() > MAX_JOBS) {
      lines.add(more("attention", jobs.size() - MAX_JOBS));
    }
    return ExplorerItem.group(
        "attention", terms.text(ExplorerText.ATTENTION), count(jobs.size()), lines);
  }

  private ExplorerItem accounts(Snapshot snapshot) {
    Map<String, Long> held = snapshot.gpusByAccount();
    Map<String, Long> waiting = new TreeMap<>();
    for (Job job : snapshot.jobs()) {
      waiting.merge(
          job.owner().account(),
          job.state() == JobState.PENDING ? (long) job.taskCount() : 0L,
          Long::sum);
    }
    List<ExplorerItem> lines = new ArrayList<>();
    waiting.forEach(
        (account, tasks) -> {
          long gpus = held.getOrDefault(account, 0L);
          lines.add(
              ExplorerItem.leaf(
                  "account/" + account,
                  account.isEmpty() ? terms.text(ExplorerText.NO_ACCOUNT) : account,
                  gpus > 0
                      ? terms.text(ExplorerText.GPUS_HELD, gpus)
                      : terms.text(ExplorerText.JOBS_WAITING, tasks),
                  null,
                  Items.account(account)));
        });
    return ExplorerItem.group(
        "accounts", terms.text(ExplorerText.ACCOUNTS), count(lines.size()), lines);
  }

  private ExplorerItem reservations(Snapshot snapshot) {
    List<ExplorerItem> lines = new ArrayList<>();
    for (Reservation reservation : snapshot.reservations().values()) {
      boolean active = !snapshot.time().isBefore(reservation.start());
      lines.add(
          ExplorerItem.leaf(
              "reservation/" + reservation.name(),
              reservation.name(),
              active
                  ? terms.text(ExplorerText.ACTIVE)
                  : terms.formats().instant(reservation.start(), snapshot.time()),
              Tone.RESERVATION,
              Items.reservation(reservation.name())));
    }
    return ExplorerItem.group(
        "reservations", terms.text(ExplorerText.RESERVATIONS), count(lines.size()), lines);
  }

  private ExplorerItem more(String prefix, int count) {
    return new ExplorerItem(
        prefix + "/more", terms.text(ExplorerText.MORE, count), "", null, null, false, List.of());
  }

  private String count(int count) {
    return terms.formats().count(count);
  }
}
