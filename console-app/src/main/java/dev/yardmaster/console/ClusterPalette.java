package dev.yardmaster.console;

import dev.yardmaster.console.action.PaletteEntry;
import dev.yardmaster.console.action.PaletteKind;
import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.NodeUse;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.shell.Item;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What of a cluster the palette finds: jobs, nodes, partitions, accounts, users, reservations. */
final class ClusterPalette {
  private final ClusterModel cluster;
  private final Terms terms;
  private final Consumer<Item> open;

  ClusterPalette(ClusterModel cluster, Terms terms, Consumer<Item> open) {
    this.cluster = cluster;
    this.terms = terms;
    this.open = open;
  }

  /** The entries of the latest snapshot; may be called from any thread. */
  List<PaletteEntry> entries() {
    Snapshot snapshot = cluster.latest();
    List<PaletteEntry> entries = new ArrayList<>();
    if (snapshot == null) {
      return entries;
    }
    TreeSet<String> accounts = new TreeSet<>();
    TreeSet<String> users = new TreeSet<>();
    for (Job job : snapshot.jobs()) {
      String detail =
          Stream.of(job.owner().user(), job.owner().account(), terms.state(job))
              .filter(part -> !part.isEmpty())
              .collect(Collectors.joining(" · "));
      entries.add(
          entry(PaletteKind.JOB, job.displayId() + " " + job.name(), detail, Items.job(job)));
      accounts.add(job.owner().account());
      users.add(job.owner().user());
    }
    for (NodeUse use : snapshot.nodes().values()) {
      entries.add(
          entry(PaletteKind.NODE, use.name(), terms.group(use.group()), Items.node(use.name())));
    }
    for (String name : snapshot.partitions().keySet()) {
      entries.add(entry(PaletteKind.PARTITION, name, "", Items.partition(name)));
    }
    accounts.remove("");
    accounts.forEach(
        name -> entries.add(entry(PaletteKind.ACCOUNT, name, "", Items.account(name))));
    users.remove("");
    users.forEach(name -> entries.add(entry(PaletteKind.USER, name, "", Items.user(name))));
    for (String name : snapshot.reservations().keySet()) {
      entries.add(entry(PaletteKind.RESERVATION, name, "", Items.reservation(name)));
    }
    return entries;
  }

  private PaletteEntry entry(PaletteKind kind, String title, String detail, Item item) {
    return new PaletteEntry(kind, title, detail, "", () -> open.accept(item));
  }
}
