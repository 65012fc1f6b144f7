package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.SlurmError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One command being handled: the state as far as it has come, the events that led there, and the
 * effects that follow once they are durable. Thrown away as a whole when the command is refused.
 */
final class Turn {
  private final Instant now;
  private final Settings settings;
  private final int usedJobId;
  private final JobIndex index;
  private final List<Event> events = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private final SortedMap<Integer, JobScript> scripts = new TreeMap<>();
  private ClusterState state;
  private boolean wantsPass;
  private boolean wantsPassAtOnce;
  private boolean editsAccounts;

  /**
   * A turn on a state.
   *
   * @param settings those of the state's configuration
   * @param usedJobId no job gets this id or a lower one
   */
  Turn(ClusterState state, Settings settings, Instant now, JobIndex index, int usedJobId) {
    this.usedJobId = usedJobId;
    this.state = state;
    this.now = now;
    this.index = index;
    this.settings = settings;
  }

  Instant now() {
    return now;
  }

  ClusterState state() {
    return state;
  }

  Settings settings() {
    return settings;
  }

  JobIndex index() {
    return index;
  }

  List<Event> events() {
    return events;
  }

  List<Effect> effects() {
    return effects;
  }

  SortedMap<Integer, JobScript> scripts() {
    return scripts;
  }

  /** Whether a pass is to come, now or when the next one is due. */
  boolean wantsPass() {
    return wantsPass || wantsPassAtOnce;
  }

  /** Whether the pass is not to wait for what else may come. */
  boolean wantsPassAtOnce() {
    return wantsPassAtOnce;
  }

  void emit(Event event) {
    state = state.apply(event);
    events.add(event);
  }

  void effect(Effect effect) {
    effects.add(effect);
  }

  void script(int jobId, JobScript script) {
    scripts.put(jobId, script);
  }

  /**
   * Asks for a scheduling pass when the next one is due: as with Slurm's controller, most of what
   * happens waits for that (slurm.conf(5), SchedulerParameters: batch_sched_delay).
   */
  void requestPass() {
    wantsPass = true;
  }

  /** The same for an edit of accounts, which is no part of a row of submissions and changes. */
  void requestPassForAccounts() {
    wantsPass = true;
    editsAccounts = true;
  }

  boolean editsAccounts() {
    return editsAccounts;
  }

  /**
   * Asks for a scheduling pass now, where SchedulerParameters=defer does not put it off.
   *
   * @param defers whether defer_batch puts it off as well
   */
  void requestPassAtOnce(boolean defers) {
    Map<String, String> parameters = state.config().scheduling().parameters();
    boolean deferred =
        parameters.containsKey("defer") || defers && parameters.containsKey("defer_batch");
    wantsPass = true;
    wantsPassAtOnce |= !deferred;
  }

  Job job(int id) {
    Job job = state.job(id);
    if (job == null) {
      throw new Refusal(SlurmError.INVALID_JOB_ID);
    }
    return job;
  }

  /** The id the next job gets: never one that was given before (slurm.conf(5), FirstJobId). */
  int nextJobId() {
    int id = Math.max(Math.max(state.nextJobId(), settings.firstJobId()), usedJobId + 1);
    if (id > settings.maxJobId()) {
      throw new Refusal(
          SlurmError.MAX_JOB_COUNT,
          "\nevery id up to MaxJobId=" + settings.maxJobId() + " is used");
    }
    return id;
  }
}
