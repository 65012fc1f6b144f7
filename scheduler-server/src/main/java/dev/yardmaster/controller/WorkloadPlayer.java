package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobSubmission;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a new cluster live through a workload before it goes live, in virtual time and through the
 * real controller, and plays what lies ahead with the clock.
 */
public final class WorkloadPlayer implements Prelude, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkloadPlayer.class);
  private static final Identity OPERATOR = new Identity("root", 0, "root", 0);
  private static final int FIRST_UID = 1001;
  private static final Pattern NAME = Pattern.compile("\\{([^{}]+)}");

  private final AccountingFile accounting;
  private final Workload workload;
  private final List<VirtualRun.Participant> participants;
  private final Map<String, Integer> uids = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private final ScheduledExecutorService later =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("workload").daemon().factory());
  private Instant origin = Instant.EPOCH;
  private int played;

  /**
   * @param accounting what a new cluster begins with, before the workload; a command that is
   *     refused ends the start
   * @param participants who live in virtual time too, as simulated nodes
   */
  public WorkloadPlayer(
      AccountingFile accounting, Workload workload, List<VirtualRun.Participant> participants) {
    this.accounting = accounting;
    this.workload = workload;
    this.participants = List.copyOf(participants);
  }

  /** What of the workload was refused, with file and line. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  @Override
  public Instant begins(Instant now) {
    Duration first =
        workload.steps().isEmpty() ? Duration.ZERO : workload.steps().getFirst().offset();
    return first.isNegative() ? now.plus(first).minusSeconds(1) : now;
  }

  @Override
  public void play(VirtualRun run, Instant now) {
    origin = now;
    participants.forEach(run::join);
    if (!run.isNew()) {
      return;
    }
    run.advanceTo(begins(now));
    accounting.apply(run, OPERATOR, begins(now));
    for (Workload.Step step : workload.steps()) {
      if (step.offset().isPositive()) {
        break;
      }
      Instant at = now.plus(step.offset());
      run.reach(at);
      try {
        note(step, run.handle(command(step, run.state()), at));
      } catch (IllegalArgumentException e) {
        problem(step, String.valueOf(e.getMessage()));
      }
      played++;
    }
    run.advanceTo(now);
  }

  /** Plays the steps that lie ahead, each at its time. */
  public void goLive(Controller controller, InstantSource clock) {
    for (Workload.Step step : workload.steps().subList(played, workload.steps().size())) {
      Instant at = origin.plus(step.offset());
      long delay = Duration.between(clock.instant(), at).toMillis();
      if (delay >= 0) {
        later.schedule(() -> play(step, controller), delay, TimeUnit.MILLISECONDS);
      }
    }
  }

  private void play(Workload.Step step, Controller controller) {
    try {
      controller.handle(command(step, controller.state())).thenAccept(reply -> note(step, reply));
    } catch (IllegalArgumentException e) {
      problem(step, String.valueOf(e.getMessage()));
    }
  }

  private void note(Workload.Step step, Reply reply) {
    if (reply instanceof Reply.Refused refused) {
      String detail = refused.detail();
      problem(
          step,
          refused.error().text()
              + (detail == null ? "" : ": " + detail.replace("\n", " ").strip()));
    }
  }

  private void problem(Workload.Step step, String what) {
    String problem = workload.source() + ":" + step.line() + ": " + what;
    problems.add(problem);
    LOG.warn("{}", problem);
  }

  private Command command(Workload.Step step, ClusterState state) {
    return switch (step) {
      case Workload.Submission s -> submission(s, state);
      case Workload.Operation o -> operation(o, state);
    };
  }

  private Command submission(Workload.Submission s, ClusterState state) {
    TreeMap<String, String> options = new TreeMap<>();
    s.options().forEach((name, value) -> options.put(name, withIds(value, state)));
    int uid = uids.computeIfAbsent(s.user(), u -> FIRST_UID + uids.size());
    long seconds = s.runtime().toSeconds();
    String name = options.getOrDefault("job-name", "job");
    JobSubmission submission =
        new JobSubmission(
            Immutable.sortedMap(options),
            "#!/bin/sh\nsleep " + seconds + "\n",
            List.of(),
            Immutable.sortedMap(Map.of("HOME", "/home/" + s.user(), "USER", s.user())),
            "/home/" + s.user() + "/" + name + ".sh",
            "sbatch " + withIds(s.text(), state) + " " + name + ".sh",
            "/home/" + s.user(),
            state.config().controllers().isEmpty()
                ? "localhost"
                : state.config().controllers().getFirst());
    return new Command.Submit(new Identity(s.user(), uid, s.user(), uid), submission, s.runtime());
  }

  private static Command operation(Workload.Operation o, ClusterState state) {
    String first = o.words().getFirst();
    return switch (o.verb()) {
      case "drain" ->
          new Command.UpdateNodes(
              OPERATOR,
              first,
              Immutable.sortedMap(
                  Map.of(
                      "state",
                      "drain",
                      "reason",
                      String.join(" ", o.words().subList(1, o.words().size())))));
      case "resume" ->
          new Command.UpdateNodes(OPERATOR, first, Immutable.sortedMap(Map.of("state", "resume")));
      case "hold" -> new Command.HoldJobs(OPERATOR, latest(first, state), false);
      case "release" -> new Command.ReleaseJobs(OPERATOR, latest(first, state));
      case "cancel" ->
          new Command.CancelJobs(
              OPERATOR, List.of(latest(first, state)), Immutable.sortedMap(), "");
      case "reserve" -> new Command.SaveReservation(OPERATOR, true, fields(o.words()));
      default -> throw new IllegalArgumentException("\"" + o.verb() + "\" is not known");
    };
  }

  private static SortedMap<String, String> fields(List<String> words) {
    TreeMap<String, String> fields = new TreeMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals <= 0) {
        throw new IllegalArgumentException("\"" + word + "\" is not FIELD=VALUE");
      }
      fields.put(word.substring(0, equals).toLowerCase(Locale.ROOT), word.substring(equals + 1));
    }
    return Immutable.sortedMap(fields);
  }

  private static String withIds(String text, ClusterState state) {
    Matcher names = NAME.matcher(text);
    return names.replaceAll(match -> latest(match.group(1), state));
  }

  private static String latest(String name, ClusterState state) {
    int id = -1;
    for (Job job : state.jobs().values()) {
      if (job.name().equals(name)) {
        int written = job.array() == null ? job.id() : job.array().arrayJobId();
        id = Math.max(id, written);
      }
    }
    if (id < 0) {
      throw new IllegalArgumentException("no job is called " + name);
    }
    return Integer.toString(id);
  }

  /** Leaves out what still lies ahead. */
  @Override
  public void close() {
    later.shutdownNow();
  }
}
