package dev.yardmaster.server;

import dev.yardmaster.controller.Controller;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Moment;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.JobHistory;
import dev.yardmaster.history.History;
import dev.yardmaster.history.KnownJob;
import dev.yardmaster.history.NoSuchMomentException;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.JobId;
import dev.yardmaster.model.text.NotationException;
import io.grpc.StatusRuntimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Explains jobs at any moment, the present and the past with the same code. What is refused is
 * thrown as the call's answer.
 */
final class Explanations {
  /** Explains a job of a state; slow enough to be kept off the network's threads. */
  @FunctionalInterface
  interface Explainer {
    Explanation explain(ClusterState state, Job job, Instant now);
  }

  private final Controller controller;
  private final Explainer explainer;
  private final @Nullable History history;
  private final InstantSource clock;

  /**
   * @param history null when only the present can be told
   */
  Explanations(
      Controller controller, Explainer explainer, @Nullable History history, InstantSource clock) {
    this.controller = controller;
    this.explainer = explainer;
    this.history = history;
    this.clock = clock;
  }

  /**
   * @param at null for the present
   * @param number of the event after which it is asked about; 0 for the last one up to then
   */
  Explanation explain(String text, @Nullable Instant at, long number, Identity caller) {
    Moment present = controller.present();
    JobId id = parse(text);
    if (at == null) {
      return now(present, id, text, caller);
    }
    Instant whole = at.truncatedTo(ChronoUnit.SECONDS);
    if (whole.isAfter(now(present))) {
      throw refused(past().text(whole) + " lies ahead; a moment of the past can be explained");
    }
    try {
      Moment moment = number == 0 ? past().at(whole) : past().at(number, whole);
      Optional<Job> job = Chosen.find(moment.state(), id);
      return job.isPresent()
          ? answer(present, moment, job.get(), whole, caller)
          : absent(present, id, text, whole, caller);
    } catch (NoSuchMomentException e) {
      throw refused(e.getMessage());
    }
  }

  /** Of a job that the controller has forgotten, what could last be told. */
  private Explanation now(Moment present, JobId id, String text, Identity caller) {
    Optional<Job> job = Chosen.find(present.state(), id);
    if (job.isPresent()) {
      return answer(present, present, job.get(), now(present), caller);
    }
    try {
      KnownJob known = known(present, id, text, caller);
      return known.forgotten() == null ? unknown(text) : last(present, known, caller);
    } catch (NoSuchMomentException e) {
      throw refused(e.getMessage());
    }
  }

  /** Why a job is not in the state of a moment. */
  private Explanation absent(Moment present, JobId id, String text, Instant at, Identity caller)
      throws NoSuchMomentException {
    KnownJob known = known(present, id, text, caller);
    Instant submitted = past().timeOf(known.first()).orElse(at);
    if (known.forgotten() != null && !submitted.isAfter(at)) {
      return last(present, known, caller);
    }
    throw refused(
        "job "
            + text
            + " was submitted "
            + past().text(submitted)
            + ", there was none at "
            + past().text(at));
  }

  /** When the controller forgot it, it was as it had been. */
  private Explanation last(Moment present, KnownJob known, Identity caller)
      throws NoSuchMomentException {
    Long forgotten = known.forgotten();
    Instant at = forgotten == null ? null : past().timeOf(forgotten).orElse(null);
    if (forgotten == null || at == null) {
      return unknown(known.displayId());
    }
    Moment moment = past().at(forgotten - 1, at);
    Job job = moment.state().job(known.jobId());
    return job == null ? unknown(known.displayId()) : answer(present, moment, job, at, caller);
  }

  private Explanation answer(Moment present, Moment moment, Job job, Instant at, Identity caller) {
    Privacy privacy = new Privacy(present.state(), caller);
    if (!privacy.shows(job)) {
      return unknown(job.displayId());
    }
    Explanation whole = explainer.explain(moment.state(), job, at);
    return privacy.of(whole, moment.state()).withMoment(moment.sequence());
  }

  /** What held a job when. */
  JobHistory history(String text, Identity caller) {
    Moment present = controller.present();
    try {
      KnownJob known = known(present, parse(text), text, caller);
      return past().of(known, present.sequence());
    } catch (NoSuchMomentException e) {
      throw refused(e.getMessage());
    }
  }

  private KnownJob known(Moment present, JobId id, String text, Identity caller)
      throws NoSuchMomentException {
    if (history == null) {
      return unknown(text);
    }
    Optional<KnownJob> known = history.job(id, present.sequence());
    boolean shown =
        known.isPresent()
            && new Privacy(present.state(), caller).shows(known.get().uid(), known.get().account());
    return shown ? known.get() : unknown(text);
  }

  private Instant now(Moment present) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    return now.isBefore(present.state().time()) ? present.state().time() : now;
  }

  private History past() {
    if (history == null) {
      throw refused("this server keeps no history; only the present can be explained");
    }
    return history;
  }

  private static JobId parse(String text) {
    try {
      JobId id = JobId.parse(text);
      return id.job() == 0 ? unknown(text) : id;
    } catch (NotationException e) {
      return unknown(text);
    }
  }

  private static <T> T unknown(String text) {
    throw Refusals.exception(SlurmError.INVALID_JOB_ID, text);
  }

  private static StatusRuntimeException refused(@Nullable String why) {
    return Refusals.exception(SlurmError.NO_SUCH_MOMENT, why);
  }
}
