package dev.yardmaster.controller;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.CronEntry;
import dev.yardmaster.model.Crontab;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.SlurmError;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Crontabs (scrontab(1)): a job for each line, which waits for its next time when it has run. It is
 * one job with one id for as long as its line stands.
 */
final class CrontabCommands {
  private final JobCommands jobs;
  private final ZoneId zone;

  CrontabCommands(JobCommands jobs, ZoneId zone) {
    this.jobs = jobs;
    this.zone = zone;
  }

  /**
   * Replaces the crontab of a user and the jobs of the old one.
   *
   * @throws Refusal with the lines of the job that is refused as the first line of its detail, and
   *     what Slurm says of it, perhaps nothing, as the second
   */
  Reply save(Turn turn, Command.SaveCrontab command) {
    if (!says(turn, "enable")) {
      throw new Refusal(SlurmError.UNSPECIFIED, "\nScronParameters=enable is not in slurm.conf(5)");
    }
    Identity by = command.by();
    Identity owner = command.owner();
    boolean own = by.uid() == owner.uid() && by.user().equals(owner.user());
    if (!own && !turn.settings().isAdministrator(by)) {
      throw new Refusal(SlurmError.INVALID_USER_ID);
    }
    List<Job> old =
        turn.state().jobs().values().stream()
            .filter(job -> job.owner().user().equals(owner.user()))
            .filter(job -> CronEntry.recurring(job) != null)
            .toList();
    List<String> notices = new ArrayList<>();
    for (JobSubmission submission : command.jobs()) {
      notices.addAll(submit(turn, owner, submission));
    }
    old.forEach(job -> forget(turn, job));
    String text = command.text();
    if (text != null || turn.state().crontabs().containsKey(owner.user())) {
      Crontab crontab = text == null ? null : new Crontab(text, List.of());
      turn.emit(new Event.CrontabSaved(turn.now(), owner.user(), crontab, by.user()));
    }
    turn.requestPass();
    return new Reply.Done(notices);
  }

  private List<String> submit(Turn turn, Identity owner, JobSubmission given) {
    TreeMap<String, String> options = new TreeMap<>(given.options());
    String option = options.remove(CronEntry.OPTION);
    CronEntry entry = CronEntry.parse(Objects.requireNonNullElse(option, ""));
    options.remove("no-requeue");
    options.put("requeue", "");
    JobSubmission submission = given.withOptions(Immutable.sortedMap(options));
    try {
      SubmissionReader.Read read = jobs.read(turn, new Command.Submit(owner, submission));
      Instant next = entry.spec().next(turn.now(), null, zone);
      Job waiting =
          dev.yardmaster.engine.gate.Dependencies.submitted(
              turn.state(),
              read.job().with(j -> j.begin(next).eligible(null).reason(firstReason(read.job()))),
              turn.now());
      Job job = entry.on(waiting);
      turn.emit(new Event.JobSubmitted(turn.now(), job));
      JobScript script = read.script();
      if (script != null) {
        turn.script(job.id(), script);
      }
      return read.notices();
    } catch (Refusal e) {
      String detail = Objects.requireNonNullElse(e.reply().detail(), "");
      throw new Refusal(e.reply().error(), entry.lines() + "\n" + detail);
    }
  }

  private static Reason firstReason(Job job) {
    return job.reason() == Reason.NONE ? Reason.BEGIN_TIME : job.reason();
  }

  /** A job of a crontab that was replaced: it ends its run, and waits for no other. */
  private static void forget(Turn turn, Job job) {
    turn.emit(new Event.JobEdited(turn.now(), CronEntry.last(job), job.owner().user(), "crontab"));
    if (job.state() == JobState.PENDING && !job.holdsResources()) {
      turn.emit(new Event.JobEnded(turn.now(), job.id(), JobState.CANCELLED, job.reason()));
      Job ended = turn.job(job.id()).with(j -> j.started(turn.now()).exitCode(new ExitCode(0, 1)));
      turn.emit(new Event.JobEdited(turn.now(), ended, job.owner().user(), "crontab"));
    }
  }

  /**
   * A job of a crontab is cancelled or signalled: it does not recur, and its lines are disabled.
   *
   * @throws Refusal where ScronParameters=explicit_scancel asks for {@code --cron}
   */
  static void cancelled(Turn turn, Job job, Command.CancelJobs command) {
    CronEntry entry = CronEntry.recurring(job);
    if (entry == null) {
      return;
    }
    if (says(turn, "explicit_scancel") && !command.filters().containsKey("cron")) {
      throw new Refusal(SlurmError.CANNOT_CANCEL_CRON_JOB);
    }
    String by = command.by().user();
    turn.emit(new Event.JobEdited(turn.now(), CronEntry.last(job), by, "crontab"));
    String owner = job.owner().user();
    Crontab crontab = turn.state().crontabs().get(owner);
    if (crontab != null) {
      turn.emit(new Event.CrontabSaved(turn.now(), owner, crontab.without(entry), by));
    }
  }

  /**
   * What scontrol changes of jobs it does not change of those of a crontab.
   *
   * @throws Refusal for one that recurs
   */
  static void requireNone(Job job) {
    if (CronEntry.recurring(job) != null) {
      throw new Refusal(
          SlurmError.CANNOT_MODIFY_CRON_JOB,
          "\njob " + job.displayId() + " is of a crontab: change it with scrontab -e");
    }
  }

  private static boolean says(Turn turn, String word) {
    String value = turn.state().config().setting("ScronParameters").orElse("");
    return value.toLowerCase(Locale.ROOT).contains(word);
  }
}
