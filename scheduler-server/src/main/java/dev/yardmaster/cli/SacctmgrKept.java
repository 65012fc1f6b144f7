package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.Account;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Diagnostics;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.text.Instants;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What {@code sacctmgr show} tells of the accounting as such: what is odd in it, what it was asked,
 * how it is set, and the reservations there are. The controller is the accounting, so the answers
 * are its own.
 */
final class SacctmgrKept {
  private static final String RULE = "*".repeat(67);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss yyyy", Locale.ROOT);
  private static final List<String> SETTINGS =
      List.of(
          "AccountingStorageBackupHost",
          "AccountingStorageHost",
          "AccountingStorageParameters",
          "AccountingStoragePass",
          "AccountingStoragePort",
          "AccountingStorageType",
          "AuthType",
          "MessageTimeout",
          "PluginDir",
          "PrivateData",
          "SlurmUser",
          "SLURM_VERSION",
          "TCPTimeout",
          "TrackWCKey");

  private final SchedulerClient client;
  private final Io io;

  SacctmgrKept(SchedulerClient client, Io io) {
    this.client = client;
    this.io = io;
  }

  /** Something odd: an account or a user of which nothing can come. */
  record Problem(String cluster, String account, String user, String text) {}

  List<Problem> problems() throws ClientException {
    AccountingReport report = client.accounting();
    List<Problem> found = new ArrayList<>();
    for (Account account : report.accounting().accounts().values()) {
      boolean used =
          account.name().equals(Account.ROOT)
              || report.accounting().associations().values().stream()
                  .anyMatch(a -> a.isUser() && a.account().equals(account.name()));
      if (!used) {
        found.add(new Problem(report.cluster(), account.name(), "", "Account has no users"));
      }
    }
    for (AccountUser user : report.accounting().users().values()) {
      Association any =
          report.accounting().associations().values().stream()
              .filter(a -> a.user().equals(user.name()))
              .findFirst()
              .orElse(null);
      if (any == null) {
        found.add(new Problem("", "", user.name(), "User has no Associations"));
      } else if (!io.machine().hasUser(user.name())) {
        found.add(
            new Problem(report.cluster(), any.account(), user.name(), "User does not have a uid"));
      }
    }
    return found;
  }

  static List<PrintFields.Field<Problem>> problemColumns() {
    return List.of(
        new PrintFields.Field<>("Cluster", "Cluster", 10, Problem::cluster),
        new PrintFields.Field<>("Account", "Account", 10, Problem::account),
        new PrintFields.Field<>("User", "User", 10, Problem::user),
        new PrintFields.Field<>("Problem", "Problem", 40, Problem::text));
  }

  List<Reservation> reservations() throws ClientException {
    ClusterView view =
        client.read(new Selection(Selection.Jobs.NONE, true, false, true, List.of()));
    return view.reservations().values().stream()
        .sorted(Comparator.comparing((Reservation r) -> r.at(io.clock().instant()).start()))
        .toList();
  }

  List<PrintFields.Field<Reservation>> reservationColumns() throws ClientException {
    ClusterView view = client.read(Selection.NODES);
    String cluster = client.info().cluster();
    return List.of(
        new PrintFields.Field<>("Cluster", "Cluster", 10, r -> cluster),
        new PrintFields.Field<>("Name", "Name", 10, Reservation::name),
        new PrintFields.Field<>("TRES", "TRES", 20, r -> ReservationText.tres(r, view)),
        new PrintFields.Field<>("TimeStart", "TimeStart", 19, r -> time(start(r))),
        new PrintFields.Field<>("Start", "TimeStart", 19, r -> time(start(r))),
        new PrintFields.Field<>("TimeEnd", "TimeEnd", 19, r -> time(end(r))),
        new PrintFields.Field<>("End", "TimeEnd", 19, r -> time(end(r))),
        new PrintFields.Field<>("UnusedWall", "UnusedWall", 10, r -> "0.000000"),
        new PrintFields.Field<>("Flags", "Flags", 20, r -> String.join(",", r.flags())),
        new PrintFields.Field<>("NodeNames", "NodeNames", 20, r -> String.join(",", r.nodes())),
        new PrintFields.Field<>("Comment", "Comment", 20, Reservation::comment));
  }

  private Instant start(Reservation reservation) {
    return reservation.at(io.clock().instant()).start();
  }

  private Instant end(Reservation reservation) {
    return reservation.at(io.clock().instant()).end();
  }

  private String time(Instant at) {
    return Instants.format(at, io.zone());
  }

  /** What the accounting was asked. */
  void stats() throws ClientException {
    Diagnostics d = client.diagnose();
    io.out().println(RULE);
    io.out().println("sacctmgr show stats output at " + clock(d.now()));
    io.out().println("Data since                    " + clock(d.since()));
    io.out().println("All statistics are in microseconds");
    io.out().println(RULE);
    io.out().println("\nRemote Procedure Call statistics by message type");
    d.byType().forEach(calls -> calls("%-25s(%5d)", calls));
    io.out().println("\nRemote Procedure Call statistics by user");
    d.byUser().forEach(calls -> calls("%-20s(%10d)", calls));
  }

  private void calls(String head, Diagnostics.Calls c) {
    io.out()
        .println(
            ("\t" + head + " count:%-6d ave_time:%-6d total_time:%d")
                .formatted(c.name(), c.number(), c.count(), c.meanMicros(), c.totalMicros()));
  }

  private String clock(Instant at) {
    return TIME.format(at.atZone(io.zone())) + " (" + at.getEpochSecond() + ")";
  }

  /** What slurm.conf says of the accounting; there is no daemon of its own. */
  void config() throws ClientException {
    Map<String, String> all = client.config();
    Map<String, String> shown = new TreeMap<>();
    SETTINGS.forEach(key -> shown.put(key, all.getOrDefault(key, "(null)")));
    io.out().println("Configuration data as of " + time(io.clock().instant()));
    shown.forEach((key, value) -> io.out().println("%-22s = %s".formatted(key, value)));
  }
}
