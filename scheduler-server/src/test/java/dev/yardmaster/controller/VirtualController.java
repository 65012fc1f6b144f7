package dev.yardmaster.controller;

import dev.yardmaster.accounting.JobRecords;
import dev.yardmaster.accounting.MemoryRecords;
import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.engine.state.Moment;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.PassFigures;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The real controller behind the usual interface, in a time that the caller moves. */
public final class VirtualController implements Controller {
  private static final Duration LONGEST_PASS = Duration.ofSeconds(4);

  private final Core core;
  private final VirtualRun run;
  private final MemoryRecords records;
  private volatile Instant now;

  /**
   * @param configs the configuration, read again at each reconfigure
   */
  public VirtualController(
      Supplier<ClusterConfig> configs, NodeLinks links, ZoneId zone, Instant begin) {
    this(configs, links, zone, begin, new Forgetful(), true);
  }

  /**
   * With a journal, and without records of accounting, which would keep all that has been in
   * memory.
   */
  public VirtualController(
      Supplier<ClusterConfig> configs,
      NodeLinks links,
      ZoneId zone,
      Instant begin,
      Journal journal) {
    this(configs, links, zone, begin, journal, false);
  }

  private VirtualController(
      Supplier<ClusterConfig> configs,
      NodeLinks links,
      ZoneId zone,
      Instant begin,
      Journal journal,
      boolean isRecorded) {
    now = begin.truncatedTo(ChronoUnit.SECONDS);
    ClusterConfig config = configs.get();
    EngineAdmission admission = new EngineAdmission();
    ControllerParts parts =
        new ControllerParts(
            journal,
            Engine::step,
            admission,
            links,
            configs,
            clock(),
            zone,
            ControllerParts.Tuning.DEFAULT);
    ClusterState first = ClusterState.initial(config, now);
    core = new Core(first, admission, links, configs, zone, now);
    records = new MemoryRecords(first);
    run = new VirtualRun(core, parts, true);
    if (isRecorded) {
      run.follow(records::follow);
    }
    run.passRegularly();
    run.advanceTo(now);
  }

  public void join(VirtualRun.Participant participant) {
    run.join(participant);
  }

  /** The present of this controller. */
  public InstantSource clock() {
    return () -> now;
  }

  /** Lets time pass, unless that moment is behind. */
  public synchronized void advanceTo(Instant at) {
    Instant whole = at.truncatedTo(ChronoUnit.SECONDS);
    if (whole.isAfter(now)) {
      run.advanceTo(whole);
      now = whole;
    }
  }

  /** Another controller takes over. */
  public synchronized void restart() {
    run.restart();
  }

  /** What accounting keeps of it. */
  public JobRecords records() {
    return records;
  }

  /** The script that is kept for a job. */
  public Optional<JobScript> script(int jobId) {
    return run.keptScript(jobId);
  }

  /** As {@link VirtualRun#restUntil}. */
  public synchronized void restUntil(Instant at) {
    run.restUntil(at);
  }

  /** As {@link VirtualRun#passesAreToldAt}, of whole seconds. */
  public synchronized void passesAreToldAt(Set<Instant> moments) {
    run.passesAreToldAt(moments);
  }

  /** Lets the schedulers look at the queue. */
  public synchronized void testNow() {
    run.testNow();
  }

  public synchronized void backfillNow() {
    run.backfillNow();
  }

  public synchronized void passNow(boolean backfill) {
    run.passNow(backfill);
  }

  /**
   * Jobs that the last pass started began at this moment: it took so long to come to them.
   *
   * @param names names of jobs
   */
  public synchronized void beganNow(List<String> names) {
    core.silently(
        now,
        turn -> {
          for (Job job : turn.state().jobs().values()) {
            Instant started = job.started();
            Instant ends = job.ended();
            if (names.contains(job.name())
                && job.state() == JobState.RUNNING
                && started != null
                && ends != null
                && started.isAfter(now.minus(LONGEST_PASS))) {
              Duration late = Duration.between(started, now);
              Job later = job.with(j -> j.started(now).ended(ends.plus(late)));
              turn.emit(new Event.JobEdited(now, later, "root", "began"));
            }
          }
        });
  }

  @Override
  public synchronized CompletionStage<Reply> handle(Command command) {
    try {
      return CompletableFuture.completedStage(run.handle(command, now));
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  @Override
  public synchronized Moment present() {
    return new Moment(run.state(), 0);
  }

  @Override
  public PassFigures figures() {
    return PassFigures.NONE;
  }

  @Override
  public StepBook steps() {
    return run.steps();
  }

  @Override
  public NodeMeasures measures() {
    return run.measures();
  }

  @Override
  public Statistics statistics() {
    return run.statistics();
  }

  @Override
  public Runnable follow(Follower follower) {
    throw new UnsupportedOperationException("nobody follows a virtual controller");
  }

  @Override
  public void close() {}

  /** Keeps the scripts and nothing else. */
  private static final class Forgetful implements Journal {
    private final Map<Integer, JobScript> scripts = new HashMap<>();
    private long sequence;

    @Override
    public long append(List<Batch> batches) {
      for (Batch batch : batches) {
        sequence += batch.events().size();
        scripts.putAll(batch.scripts());
      }
      return sequence;
    }

    @Override
    public long lastSequence() {
      return sequence;
    }

    @Override
    public Optional<Recovered> recover() {
      return Optional.empty();
    }

    @Override
    public void read(long fromSequence, long toSequence, Consumer<Entry> reader) {}

    @Override
    public long sequenceAt(Instant at) {
      return 0;
    }

    @Override
    public Optional<Instant> timeOf(long at) {
      return Optional.empty();
    }

    @Override
    public long fingerprint(long at) {
      return 0;
    }

    @Override
    public Optional<JobScript> script(int jobId) {
      return Optional.ofNullable(scripts.get(jobId));
    }

    @Override
    public void snapshot(ClusterState state, long at) {}

    @Override
    public void close() {}
  }
}
