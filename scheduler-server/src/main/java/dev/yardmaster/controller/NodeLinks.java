package dev.yardmaster.controller;

import dev.yardmaster.journal.JournalException;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobScript;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one place where effects are performed: hands each to the link of its node. */
public final class NodeLinks {
  private static final Logger LOG = LoggerFactory.getLogger(NodeLinks.class);

  private final Map<String, NodeLink> links = new ConcurrentHashMap<>();
  private volatile boolean programs;

  /** The nodes are real: programs of the site switch them off and on. */
  public void runPrograms() {
    programs = true;
  }

  /**
   * Makes {@code link} the way to a node, in place of an earlier one. To be called before the
   * node's {@link Command.NodeRegistered} is handed to the controller.
   */
  public void attach(String node, NodeLink link) {
    links.put(node, link);
  }

  /**
   * Forgets a link, unless another has taken its place.
   *
   * @return whether it was the node's link; if so the caller reports {@link Command.NodeLost}
   */
  public boolean detach(String node, NodeLink link) {
    return links.remove(node, link);
  }

  /** Whether a way to the node is known. */
  public boolean isConnected(String node) {
    return links.containsKey(node);
  }

  /**
   * Performs an effect; without a link it is dropped, see {@link Effect}.
   *
   * @param failed takes a launch that is impossible because the job's script cannot be read, and
   *     how a program that ran here has ended
   */
  void perform(Effect effect, IntFunction<Optional<JobScript>> scripts, Consumer<Command> failed) {
    if (effect instanceof Effect.ControllerScript script) {
      run(script, failed);
      return;
    }
    if (effect instanceof Effect.Power power && programs && !power.program().isEmpty()) {
      SiteProgram.run(power.program(), power.all());
    }
    NodeLink link = links.get(effect.node());
    if (link == null) {
      LOG.debug("{} is not connected, dropped {}", effect.node(), effect);
      return;
    }
    JobScript script;
    try {
      script = script(effect, scripts);
    } catch (JournalException e) {
      LOG.error("job {} cannot be launched: {}", effect.jobId(), e.getMessage());
      failed.accept(
          new Command.LaunchFailed(
              effect.node(), effect.jobId(), effect.restarts(), String.valueOf(e.getMessage())));
      return;
    }
    try {
      link.send(new NodeLink.Outgoing(effect, script));
    } catch (RuntimeException e) {
      LOG.warn("{} cannot be told {}: {}", effect.node(), effect, e.toString());
    }
  }

  /** Where nodes are simulated no program runs, and all is well. */
  private void run(Effect.ControllerScript script, Consumer<Command> ended) {
    SortedMap<String, String> environment =
        SiteVariables.of(script.job(), script.restarts(), script.epilog(), script.cluster());
    environment.put(
        "SLURM_SCRIPT_CONTEXT", script.epilog() ? "epilog_slurmctld" : "prolog_slurmctld");
    String what =
        (script.epilog() ? "EpilogSlurmctld" : "PrologSlurmctld")
            + " of job "
            + script.job().displayId();
    CompletableFuture<Boolean> well =
        programs
            ? ControllerScripts.run(what, script.programs(), environment, script.most())
            : CompletableFuture.completedFuture(true);
    well.thenAccept(
        w ->
            ended.accept(
                new Command.ControllerScriptEnded(
                    script.jobId(), script.restarts(), script.epilog(), w)));
  }

  private static @Nullable JobScript script(
      Effect effect, IntFunction<Optional<JobScript>> scripts) {
    if (!(effect instanceof Effect.Launch launch)) {
      return null;
    }
    int id = launch.job().array() == null ? launch.jobId() : launch.job().array().arrayJobId();
    JobScript script = scripts.apply(id).orElse(null);
    if (script == null && launch.job().batch().batch()) {
      throw new JournalException("the script of job " + id + " is not in the journal");
    }
    if (script == null || launch.environment().isEmpty()) {
      return script;
    }
    TreeMap<String, String> environment = new TreeMap<>(script.environment());
    environment.putAll(launch.environment());
    return new JobScript(script.script(), script.arguments(), Immutable.sortedMap(environment));
  }
}
