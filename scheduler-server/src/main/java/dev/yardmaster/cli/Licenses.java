package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.Job;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** scontrol show licenses. */
final class Licenses {
  private Licenses() {}

  /** A licence, and how many of it are held and kept by reservations. */
  record Held(String name, int total, int used, int reserved) {}

  /** All licences by name. */
  static List<Held> of(SchedulerClient client, Instant now) throws ClientException {
    String configured = client.config().getOrDefault("Licenses", "");
    if (configured.isBlank() || configured.equals(JobFacts.NULL)) {
      return List.of();
    }
    ClusterView view = client.read(Selection.of(Selection.Jobs.HOLDING));
    Map<String, Integer> used = new HashMap<>();
    for (Job job : view.jobs().values()) {
      if (job.holdsResources()) {
        job.heldLicenses().forEach((name, count) -> used.merge(name, count, Integer::sum));
      }
    }
    List<Held> all = new ArrayList<>();
    for (String item : Formats.list(configured).stream().sorted().toList()) {
      int colon = item.indexOf(':');
      String name = colon < 0 ? item : item.substring(0, colon);
      int total = colon < 0 ? 1 : Integer.parseInt(item.substring(colon + 1).strip());
      all.add(new Held(name, total, used.getOrDefault(name, 0), reserved(view, name, now)));
    }
    return all;
  }

  static CommandFailure missing(String name) {
    return new CommandFailure(1, "scontrol: error: query \"" + name + "\" matched zero licenses.");
  }

  static void show(SchedulerClient client, @Nullable String only, boolean oneLine, Io io)
      throws ClientException, CommandFailure {
    List<Held> all = of(client, io.clock().instant());
    if (all.isEmpty()) {
      io.out().println("No licenses configured in Slurm.");
      return;
    }
    boolean found = false;
    for (Held held : all) {
      if (only != null && !only.equals(held.name())) {
        continue;
      }
      found = true;
      io.out()
          .println(
              "LicenseName="
                  + held.name()
                  + (oneLine ? " " : "\n    ")
                  + "Total="
                  + held.total()
                  + " Used="
                  + held.used()
                  + " Free="
                  + (held.total() - held.used())
                  + " Reserved="
                  + held.reserved()
                  + " Remote=no");
    }
    if (!found) {
      throw missing(String.valueOf(only));
    }
  }

  private static int reserved(ClusterView view, String name, Instant now) {
    return view.reservations().values().stream()
        .filter(r -> r.isActive(now))
        .mapToInt(r -> r.licenses().getOrDefault(name, 0))
        .sum();
  }
}
