package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.Job;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** scontrol show licenses. */
final class Licenses {
  private Licenses() {}

  static void show(SchedulerClient client, @Nullable String only, boolean oneLine, Io io)
      throws ClientException, CommandFailure {
    String configured = client.config().getOrDefault("Licenses", "");
    if (configured.isBlank() || configured.equals(JobFacts.NULL)) {
      io.out().println("No licenses configured in Slurm.");
      return;
    }
    ClusterView view = client.read(Selection.of(Selection.Jobs.HOLDING));
    Map<String, Integer> used = new HashMap<>();
    for (Job job : view.jobs().values()) {
      if (job.holdsResources()) {
        job.heldLicenses().forEach((name, count) -> used.merge(name, count, Integer::sum));
      }
    }
    boolean found = false;
    for (String item : Formats.list(configured).stream().sorted().toList()) {
      int colon = item.indexOf(':');
      String name = colon < 0 ? item : item.substring(0, colon);
      if (only != null && !only.equals(name)) {
        continue;
      }
      found = true;
      int total = colon < 0 ? 1 : Integer.parseInt(item.substring(colon + 1).strip());
      int taken = used.getOrDefault(name, 0);
      io.out()
          .println(
              "LicenseName="
                  + name
                  + (oneLine ? " " : "\n    ")
                  + "Total="
                  + total
                  + " Used="
                  + taken
                  + " Free="
                  + (total - taken)
                  + " Reserved="
                  + reserved(view, name, io.clock().instant())
                  + " Remote=no");
    }
    if (!found) {
      throw new CommandFailure(1, "scontrol: error: query \"" + only + "\" matched zero licenses.");
    }
  }

  private static int reserved(ClusterView view, String name, Instant now) {
    return view.reservations().values().stream()
        .filter(r -> r.isActive(now))
        .mapToInt(r -> r.licenses().getOrDefault(name, 0))
        .sum();
  }
}
