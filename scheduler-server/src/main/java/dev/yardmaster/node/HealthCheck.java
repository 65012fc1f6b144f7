package dev.yardmaster.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HealthCheckProgram of a node (slurm.conf(5)): before it registers, and whenever the controller
 * asks. What is to follow from it the program does itself, as in Slurm. Owned by the daemon's
 * thread.
 */
final class HealthCheck implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HealthCheck.class);
  private static final String CHECKED = "checked";

  private final String node;
  private final Path spool;
  private final Supplier<NodeSettings> present;
  private final ExecutorService threads;
  private @Nullable CompletableFuture<Void> first;
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  HealthCheck(String node, Path spool, Supplier<NodeSettings> present) {
    this.node = node;
    this.spool = spool;
    this.present = present;
    this.threads = SiteScripts.threads(node, true);
  }

  /** Runs it for the first time since this daemon was started, or waits for that. */
  CompletableFuture<Void> first() {
    CompletableFuture<Void> begun = first;
    if (begun == null) {
      boolean afterBootOnly = present.get().healthStates().contains("reboot_only");
      begun = afterBootOnly && !isNewBoot() ? CompletableFuture.completedFuture(null) : start(null);
      first = begun;
    }
    return begun;
  }

  /** Once in each boot of the machine. */
  private boolean isNewBoot() {
    Path mark = spool.resolve(CHECKED);
    String boot = RunDirectory.presentBoot();
    try {
      if (Files.exists(mark) && Files.readString(mark).equals(boot)) {
        return false;
      }
      Files.writeString(mark, boot);
    } catch (IOException e) {
      LOG.warn("{}: {}", mark, e.toString());
    }
    return true;
  }

  /**
   * Runs it, unless it still runs.
   *
   * @param healthy what the controller thinks of the node
   */
  void run(boolean healthy) {
    if (last.isDone()) {
      last = start(healthy);
    }
  }

  private CompletableFuture<Void> start(@Nullable Boolean healthy) {
    NodeSettings settings = present.get();
    if (settings.healthProgram().isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    SortedMap<String, String> environment = new TreeMap<>();
    environment.put("SLURMD_NODENAME", node);
    environment.put("SLURM_CONF", settings.directory().resolve("slurm.conf").toString());
    if (healthy != null) {
      environment.put("SLURM_NODE_IS_HEALTHY", healthy ? "yes" : "no");
    }
    return CompletableFuture.runAsync(
        () ->
            SiteScripts.run(
                "HealthCheckProgram of " + node,
                List.of(settings.healthProgram()),
                settings.directory(),
                environment,
                settings.healthTimeout()),
        threads);
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
