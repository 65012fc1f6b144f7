package dev.yardmaster.cli;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;

/** scontrol show reservation. */
record ReservationText(ClusterView view, ZoneId zone, Instant now, boolean oneLine) {
  String of(Reservation r) {
    int cores = 0;
    int cpus = 0;
    for (String name : r.nodes()) {
      Node node = view.nodes().get(name);
      if (node != null) {
        cores += node.spec().cores();
        cpus += node.spec().cpus();
      }
    }
    RecordText out = new RecordText(oneLine);
    out.word("ReservationName", r.name())
        .word("StartTime", Instants.format(r.start(), zone))
        .word("EndTime", Instants.format(r.end(), zone))
        .word("Duration", TimeLimits.format(Duration.between(r.start(), r.end()).toSeconds()));
    out.line()
        .word("Nodes", r.nodes().isEmpty() ? JobFacts.NULL : HostList.fold(r.nodes()))
        .word("NodeCnt", r.nodes().size())
        .word("CoreCnt", cores)
        .word("Features", JobFacts.NULL)
        .word("PartitionName", JobFacts.NULL)
        .word("Flags", String.join(",", r.flags()));
    out.line().word("TRES", "cpu=" + cpus);
    out.line().word("AllowedPartitions", JobFacts.NULL).word("QOS", JobFacts.NULL);
    out.line()
        .word("Users", list(r.users()))
        .word("Groups", JobFacts.NULL)
        .word("Accounts", list(r.accounts()))
        .word("Licenses", JobFacts.NULL)
        .word("State", ReservationList.isActive(r, now) ? "ACTIVE" : "INACTIVE")
        .word("BurstBuffer", JobFacts.NULL);
    out.line().word("MaxStartDelay", JobFacts.NULL);
    return out.toString();
  }

  private static String list(Collection<String> names) {
    return JobFacts.orNull(String.join(",", names));
  }
}
