package dev.yardmaster.cli;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** scontrol show reservation. */
record ReservationText(ClusterView view, ZoneId zone, Instant now, boolean oneLine) {
  String of(Reservation stored) {
    Reservation r = stored.at(now);
    RecordText out = new RecordText(oneLine);
    out.word("ReservationName", r.name())
        .word("StartTime", Instants.format(r.start(), zone))
        .word("EndTime", Instants.format(r.end(), zone))
        .word("Duration", TimeLimits.format(r.length().toSeconds()));
    out.line()
        .word("Nodes", r.nodes().isEmpty() ? JobFacts.NULL : HostList.fold(r.nodes()))
        .word("NodeCnt", r.nodes().size())
        .word("CoreCnt", cores(r))
        .word("Features", JobFacts.orNull(r.features()))
        .word("PartitionName", JobFacts.orNull(r.partition()))
        .word("Flags", flags(r));
    r.cores()
        .forEach(
            (node, cores) -> out.line().word("  NodeName", node).word("CoreIDs", cores.toString()));
    out.line().word("TRES", tres(r, view));
    out.line().word("AllowedPartitions", list(r.allowedPartitions())).word("QOS", list(r.qos()));
    out.line()
        .word("Users", list(r.users()))
        .word("Groups", list(r.groups()))
        .word("Accounts", list(r.accounts()))
        .word("Licenses", licenses(r))
        .word("State", r.isActive(now) ? "ACTIVE" : "INACTIVE")
        .word("BurstBuffer", JobFacts.NULL);
    out.line()
        .word(
            "MaxStartDelay",
            r.maxStartDelaySeconds() == 0
                ? JobFacts.NULL
                : TimeLimits.format(r.maxStartDelaySeconds()));
    if (!r.comment().isEmpty()) {
      out.line().word("Comment", r.comment());
    }
    return out.toString();
  }

  private static String flags(Reservation r) {
    List<String> words = new ArrayList<>(r.flagWords());
    words.replaceAll(
        word ->
            word.equals(ReservationFlag.PURGE_COMP.name())
                ? word + "=" + TimeLimits.format(r.purgeSeconds())
                : word);
    return String.join(",", words);
  }

  private int cores(Reservation r) {
    int cores = 0;
    for (String name : r.nodes()) {
      Node node = view.nodes().get(name);
      IndexSet some = r.cores().get(name);
      cores += some != null ? some.size() : node == null ? 0 : node.spec().cores();
    }
    return cores;
  }

  /** CPUs, then GRES with their type before the sums over types. */
  static String tres(Reservation r, ClusterView view) {
    List<String> items = new ArrayList<>();
    int cpus = 0;
    for (String name : r.nodes()) {
      Node node = view.nodes().get(name);
      IndexSet some = r.cores().get(name);
      if (node != null) {
        int perCore = Math.max(1, node.spec().cpus() / Math.max(1, node.spec().cores()));
        cpus += some == null ? node.spec().cpus() : some.size() * perCore;
      }
    }
    if (cpus > 0) {
      items.add("cpu=" + cpus);
    }
    for (boolean typed : new boolean[] {true, false}) {
      r.gres()
          .forEach(
              (name, count) -> {
                if (name.contains(":") == typed) {
                  items.add(name + "=" + count);
                }
              });
    }
    return JobFacts.orNull(String.join(",", items));
  }

  private static String licenses(Reservation r) {
    List<String> items = new ArrayList<>();
    r.licenses().forEach((name, count) -> items.add(name + ":" + count));
    return list(items);
  }

  private static String list(Collection<String> names) {
    return JobFacts.orNull(String.join(",", names));
  }
}
