package dev.yardmaster.node;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.SiteVariables;
import dev.yardmaster.model.Job;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/**
 * Prolog and Epilog of runs on a node (slurm.conf(5), Prolog and Epilog Scripts): Prolog once
 * before anything of a run starts here, Epilog once when nothing of it is left, also where nothing
 * of it ever was. Owned by the daemon's thread.
 */
final class RunScripts implements AutoCloseable {
  private static final int REMEMBERED = 10_000;

  private final String node;
  private final String cluster;
  private final Supplier<NodeSettings> present;
  private boolean serial;
  private ExecutorService threads;
  private final Map<Command.RunningJob, CompletableFuture<Boolean>> prologs = new HashMap<>();
  private final Map<Command.RunningJob, SortedMap<String, String>> due = new HashMap<>();

  /** Runs whose Epilog has run here, the latest of them. */
  private final Map<Command.RunningJob, Boolean> done =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Command.RunningJob, Boolean> eldest) {
          return size() > REMEMBERED;
        }
      };

  /**
   * @param present the daemon's settings, which may change; what has begun goes on with those it
   *     began with
   */
  RunScripts(String node, String cluster, Supplier<NodeSettings> present) {
    this.node = node;
    this.cluster = cluster;
    this.present = present;
    this.serial = present.get().serial();
    this.threads = SiteScripts.threads(node, serial);
  }

  private ExecutorService threads(NodeSettings settings) {
    if (settings.serial() != serial) {
      serial = settings.serial();
      threads.shutdown();
      threads = SiteScripts.threads(node, serial);
    }
    return threads;
  }

  private static Command.RunningJob run(Job job, int restarts) {
    return new Command.RunningJob(job.id(), restarts);
  }

  /** Runs Prolog for a job unless that was done; the answer is whether it went well. */
  CompletableFuture<Boolean> prolog(Job job) {
    return prologs.computeIfAbsent(
        run(job, job.restarts()),
        run -> {
          NodeSettings settings = present.get();
          SortedMap<String, String> environment = environment(job, run.restarts(), false);
          String what = "Prolog of job " + job.displayId() + " on " + node;
          return CompletableFuture.supplyAsync(
              () ->
                  SiteScripts.run(
                          what,
                          settings.prolog(),
                          settings.directory(),
                          environment,
                          settings.prologTimeout())
                      == 0,
              threads(settings));
        });
  }

  /** Whether Prolog of a run is at work. */
  boolean isPreparing(Command.RunningJob run) {
    CompletableFuture<Boolean> prolog = prologs.get(run);
    return prolog != null && !prolog.isDone();
  }

  /** The runs whose Prolog is at work. */
  List<Command.RunningJob> preparing() {
    return prologs.keySet().stream().filter(this::isPreparing).toList();
  }

  /** The end of Prolog of a run, or now. */
  CompletableFuture<Boolean> prepared(Command.RunningJob run) {
    return prologs.getOrDefault(run, CompletableFuture.completedFuture(true));
  }

  boolean hasProlog() {
    return !present.get().prolog().isEmpty();
  }

  /**
   * Epilog is to run when nothing is left of a run.
   *
   * @return what it finds in its environment; empty when there is none to run
   */
  SortedMap<String, String> due(Job job, int restarts) {
    Command.RunningJob run = run(job, restarts);
    if (present.get().epilog().isEmpty() || done.containsKey(run)) {
      return new TreeMap<>();
    }
    return due.computeIfAbsent(run, r -> environment(job, r.restarts(), true));
  }

  /** Nothing is left of a run: its Epilog runs if it has one to come; whether it went well. */
  CompletableFuture<Boolean> epilog(
      Command.RunningJob run, SortedMap<String, String> savedEnvironment) {
    NodeSettings settings = present.get();
    prologs.remove(run);
    SortedMap<String, String> told = due.remove(run);
    SortedMap<String, String> environment = told == null ? savedEnvironment : told;
    boolean runs = !settings.epilog().isEmpty() && !environment.isEmpty();
    if (!runs || done.put(run, true) != null) {
      return CompletableFuture.completedFuture(true);
    }
    String what = "Epilog of job " + run.jobId() + " on " + node;
    return CompletableFuture.supplyAsync(
        () ->
            SiteScripts.run(
                    what,
                    settings.epilog(),
                    settings.directory(),
                    environment,
                    settings.epilogTimeout())
                == 0,
        threads(settings));
  }

  private SortedMap<String, String> environment(Job job, int restarts, boolean epilog) {
    SortedMap<String, String> out = SiteVariables.of(job, restarts, epilog, cluster);
    out.put("SLURM_SCRIPT_CONTEXT", epilog ? "epilog_slurmd" : "prolog_slurmd");
    out.put("SLURMD_NODENAME", node);
    out.put("SLURM_CONF", present.get().directory().resolve("slurm.conf").toString());
    gpus(job, out);
    return out;
  }

  private void gpus(Job job, SortedMap<String, String> out) {
    if (job.allocation() == null) {
      return;
    }
    job.allocation().shares().stream()
        .filter(share -> share.node().equals(node))
        .flatMap(share -> share.gres().stream())
        .filter(share -> share.name().equals("gpu"))
        .findFirst()
        .ifPresent(
            share -> {
              StringBuilder numbers = new StringBuilder();
              share.devices().stream()
                  .forEach(i -> numbers.append(numbers.isEmpty() ? "" : ",").append(i));
              out.put("SLURM_JOB_GPUS", numbers.toString());
            });
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
