package dev.yardmaster.bench;

import dev.yardmaster.controller.ControllerParts;
import dev.yardmaster.controller.DefaultController;
import dev.yardmaster.controller.EngineAdmission;
import dev.yardmaster.controller.NodeLinks;
import dev.yardmaster.engine.DecisionEvents;
import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.PassTrace;
import dev.yardmaster.engine.Step;
import dev.yardmaster.engine.explain.Explainer;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.engine.state.Moment;
import dev.yardmaster.history.History;
import dev.yardmaster.history.NoSuchMomentException;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.text.JobId;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;

/**
 * What it costs to explain a moment of the past: hours of a full cluster with a long queue are
 * journaled, a pass each half minute, and moments of them are opened at random. Times are those of
 * the processor, which other work on the machine does not change much.
 */
final class Moments {
  private static final int PASSES = 240;
  private static final int ASKED = 12;

  private final TreeMap<String, long[]> times = new TreeMap<>();

  private Moments() {}

  /** A Markdown table of some clusters. */
  static String table(List<String> sizes) throws IOException {
    StringBuilder text =
        new StringBuilder(
            "| nodes | pending jobs | events | assessments | journal | history | open a moment |"
                + " at most | one near by | explain | history of a job |\n"
                + "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (String size : sizes) {
      String[] parts = size.split("x");
      text.append(new Moments().row(Integer.parseInt(parts[0]), Integer.parseInt(parts[1])));
    }
    return text.toString();
  }

  private String row(int nodes, int pending) throws IOException {
    Path directory = Files.createTempDirectory("moments");
    try {
      return row(directory, nodes, pending);
    } catch (NoSuchMomentException e) {
      throw new IllegalStateException(e);
    } finally {
      try (var files = Files.list(directory)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
  }

  private String row(Path directory, int nodes, int pending)
      throws IOException, NoSuchMomentException {
    ClusterState begin = new LargeCluster(nodes, 1).state(pending);
    long assessments;
    ClusterState end;
    try (Journal journal = SqliteJournal.open(directory)) {
      Writing writing = new Writing(journal);
      end = writing.write(begin);
      assessments = writing.assessments;
    }
    SqliteJournal journal = SqliteJournal.open(directory);
    DefaultController controller =
        DefaultController.start(
            new ControllerParts(
                journal,
                (state, now, passes) ->
                    new Step(List.of(), new PassTrace(0, 0, 0, 0, 0, 0, new TreeMap<>())),
                new EngineAdmission(),
                new NodeLinks(),
                end::config,
                end::time,
                ZoneOffset.UTC,
                new ControllerParts.Tuning(1_000_000_000, Duration.ofHours(1), 0)));
    try (History history = History.open(directory, journal, controller, ZoneOffset.UTC)) {
      int last = begin.jobs().lastKey();
      long present = controller.present().sequence();
      awaitComplete(history, present);
      Random random = new Random(3);
      for (int i = 0; i < ASKED; i++) {
        Instant at = begin.time().plusSeconds(60 + random.nextInt(30 * PASSES - 90));
        Moment moment = time("open", () -> history.at(at));
        time("near", () -> history.at(at.plusSeconds(30)));
        time("explain", () -> Explainer.explain(moment.state(), last, at));
        time(
            "history",
            () -> history.of(history.job(JobId.parse("" + last), present).orElseThrow(), present));
      }
      return String.format(
          Locale.ROOT,
          "| %,d | %,d | %,d | %,d | %,d MB | %,d MB | %s | %s | %s | %s | %s |%n",
          nodes,
          pending,
          present,
          assessments,
          size(directory, "journal.db") >> 20,
          size(directory, "history.db") >> 20,
          milliseconds("open", 0.5),
          milliseconds("open", 1),
          milliseconds("near", 0.5),
          milliseconds("explain", 0.5),
          milliseconds("history", 0.5));
    } finally {
      controller.close();
    }
  }

  /** With what has not been moved into the file yet. */
  private static long size(Path directory, String name) throws IOException {
    long size = 0;
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        size += file.getFileName().toString().startsWith(name) ? Files.size(file) : 0;
      }
    }
    return size;
  }

  private static void awaitComplete(History history, long present) {
    boolean complete = false;
    while (!complete) {
      try {
        history.job(JobId.parse("1"), present);
        complete = true;
      } catch (NoSuchMomentException e) {
        System.err.println(e.getMessage());
      }
    }
  }

  private interface Work<T> {
    T run() throws NoSuchMomentException;
  }

  private <T> T time(String what, Work<T> work) throws NoSuchMomentException {
    var threads = ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadCpuTime();
    T result = work.run();
    long spent = threads.getCurrentThreadCpuTime() - before;
    long[] known = times.getOrDefault(what, new long[0]);
    long[] all = Arrays.copyOf(known, known.length + 1);
    all[known.length] = spent;
    times.put(what, all);
    return result;
  }

  private String milliseconds(String what, double quantile) {
    long[] sorted = times.getOrDefault(what, new long[1]).clone();
    Arrays.sort(sorted);
    double value = sorted[(int) Math.min(sorted.length - 1, sorted.length * quantile)] / 1e6;
    return String.format(Locale.ROOT, value < 10 ? "%.1f ms" : "%,.0f ms", value);
  }

  /** Journals a cluster as it is, and two hours of passes. */
  private static final class Writing {
    private final Journal journal;
    private long assessments;

    Writing(Journal journal) {
      this.journal = journal;
    }

    ClusterState write(ClusterState begin) {
      List<Event> events = new ArrayList<>();
      events.add(new Event.ConfigApplied(begin.time(), begin.config()));
      for (Node node : begin.nodes().values()) {
        events.add(new Event.NodeChanged(begin.time(), node.name(), node.status(), "bench"));
      }
      for (Job job : begin.jobs().values()) {
        events.add(new Event.JobSubmitted(begin.time(), job));
      }
      append(events);
      ClusterState state = begin;
      for (int pass = 1; pass <= PASSES; pass++) {
        state = pass(state, begin.time().plusSeconds(30L * pass));
      }
      return state;
    }

    private ClusterState pass(ClusterState before, Instant now) {
      List<Event> events = new ArrayList<>();
      for (Job job : before.jobs().values()) {
        if (job.state() == JobState.RUNNING
            && job.ended() instanceof Instant ended
            && !ended.isAfter(now)) {
          events.add(
              new Event.JobCompleting(
                  now, job.id(), 0, JobState.COMPLETED, ExitCode.OK, Reason.NONE));
          events.add(new Event.JobReleased(now, job.id(), 0));
        }
      }
      ClusterState state = before;
      for (Event event : events) {
        state = state.apply(event);
      }
      DecisionEvents.Result result =
          DecisionEvents.of(
              state,
              Engine.step(state, now, EnumSet.of(Pass.MAIN, Pass.BACKFILL)).decisions(),
              now);
      events.addAll(result.events());
      append(events);
      return result.after();
    }

    private void append(List<Event> events) {
      if (!events.isEmpty()) {
        journal.append(List.of(new Journal.Batch(events, new TreeMap<>())));
      }
      for (Event event : events) {
        assessments += event instanceof Event.JobsAssessed a ? a.assessments().size() : 0;
      }
    }
  }
}
