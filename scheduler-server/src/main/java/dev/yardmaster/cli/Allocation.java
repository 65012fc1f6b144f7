package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.Reason;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Resources that salloc or srun asks for, waits for, holds and gives back. */
final class Allocation {
  private static final long FIRST_PAUSE = 10;
  private static final long LONGEST_PAUSE = 1_000;
  private static final long FIRST_REASON = 1_500;
  private static final int MILLIS = 1_000;
  private static final long LISTEN_EVERY = 1_000;

  private final String program;
  private final String prefix;
  private final SchedulerClient client;
  private final boolean quiet;
  private final Io io;
  private volatile boolean ended;
  private int id;
  private @Nullable String signal;

  /**
   * @param prefix what a refusal by the controller comes behind
   */
  Allocation(String program, String prefix, SchedulerClient client, boolean quiet, Io io) {
    this.program = program;
    this.prefix = prefix;
    this.client = client;
    this.quiet = quiet;
    this.io = io;
  }

  int id() {
    return id;
  }

  void say(String line) {
    if (!quiet) {
      io.err().println(program + ": " + line);
    }
  }

  /** A signal has come. */
  synchronized void signalled(String name) {
    signal = name;
    notifyAll();
  }

  synchronized @Nullable String signal() {
    return signal;
  }

  private synchronized void pause(long millis) throws InterruptedException {
    if (signal == null) {
      wait(millis);
    }
  }

  /**
   * Asks for resources and waits for them.
   *
   * @param components one submission, or those of a heterogeneous job
   * @param pending a line that says that the job waits; its id is put in place of {@code %d}
   * @param aborted lines that say that a signal ended the waiting
   * @param immediate how many seconds to wait at most; null for as long as it takes
   */
  List<Job> ask(
      List<JobSubmission> components,
      @Nullable String pending,
      List<String> aborted,
      @Nullable Integer immediate)
      throws CommandFailure {
    try {
      SchedulerClient.Submitted submitted =
          components.size() > 1 ? client.submit(components) : client.submit(components.getFirst());
      id = submitted.jobId();
      submitted.notices().forEach(notice -> io.err().println(program + ": " + notice));
    } catch (ClientException e) {
      throw Submissions.failure(program, e, prefix);
    }
    try {
      List<Job> jobs = await(pending, aborted, immediate);
      Thread.ofVirtual().start(this::listen);
      return jobs;
    } catch (ClientException e) {
      throw new CommandFailure(1, prefix + Session.words(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(1, prefix + "interrupted");
    }
  }

  /** Says what somebody says to the job, until it is given back. */
  private void listen() {
    int heard = 0;
    try {
      while (!ended) {
        for (String text : client.notices(id, heard)) {
          heard++;
          say(text);
        }
        Thread.sleep(LISTEN_EVERY);
      }
    } catch (ClientException e) {
      // Nobody can say anything any more; what the command does meets the same trouble and says so.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Job> await(
      @Nullable String pending, List<String> aborted, @Nullable Integer immediate)
      throws ClientException, InterruptedException, CommandFailure {
    long begin = System.nanoTime();
    boolean told = false;
    for (long pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, pause * 2)) {
      List<Job> jobs = components();
      Job job = jobs.isEmpty() ? null : jobs.getFirst();
      long waited = (System.nanoTime() - begin) / 1_000_000;
      if (job != null && jobs.stream().allMatch(j -> j.state() == JobState.RUNNING)) {
        if (told) {
          say("job " + id + " has been allocated resources");
        }
        return jobs;
      }
      if (job == null || jobs.stream().anyMatch(j -> j.state().isFinished())) {
        throw new CommandFailure(1, revoked(aborted));
      }
      if (immediate != null && waited >= Math.max(FIRST_REASON, MILLIS * (long) immediate)) {
        client.cancelJobs(List.of(Integer.toString(id)), Map.of(), "");
        throw new CommandFailure(1, prefix + "Requested nodes are busy");
      }
      if (immediate == null && !told && (job.reason() != Reason.NONE || waited >= FIRST_REASON)) {
        told = true;
        tell(job, pending);
      }
      if (signal() != null) {
        client.cancelJobs(List.of(Integer.toString(id)), Map.of(), "");
        throw new CommandFailure(1, revoked(aborted));
      }
      pause(pause);
    }
  }

  private List<String> revoked(List<String> aborted) {
    return aborted.stream()
        .map(line -> program + ": " + line.replace("%d", Integer.toString(id)))
        .toList();
  }

  /** What keeps the job, where Slurm says it before it waits. */
  private void tell(Job job, @Nullable String pending) {
    if (job.reason() == Reason.PARTITION_NODE_LIMIT || job.reason() == Reason.PARTITION_CONFIG) {
      say("Requested partition configuration not available now");
    } else if (job.reason() == Reason.REQ_NODE_NOT_AVAIL) {
      say("Required node not available (down, drained or reserved)");
    }
    if (pending != null) {
      say(pending.replace("%d", Integer.toString(id)));
    }
    say("job " + id + " queued and waiting for resources");
  }

  /** The job as it is now, or all components of it; none when it is known no more. */
  private List<Job> components() throws ClientException {
    return components(client, Integer.toString(id));
  }

  /** A job, or all components of one that is heterogeneous, in their order. */
  static List<Job> components(SchedulerClient client, String id) throws ClientException {
    Selection selection = Selection.of(Selection.Jobs.ALL).onlyJobs(List.of(id));
    return client.read(selection).jobs().values().stream()
        .sorted(Comparator.comparingInt(Job::id))
        .toList();
  }

  /** Whether the resources were taken away, or some of them. */
  boolean isRevoked() {
    try {
      List<Job> jobs = components();
      return jobs.isEmpty() || jobs.stream().anyMatch(j -> j.state() != JobState.RUNNING);
    } catch (ClientException e) {
      // Nobody can say; the controller may only be starting again.
      return false;
    }
  }

  void cancel() {
    ended = true;
    try {
      client.cancelJobs(List.of(Integer.toString(id)), Map.of(), "");
    } catch (ClientException e) {
      io.err().println(program + ": error: Unable to cancel job " + id + ": " + Session.words(e));
    }
  }

  /** Gives the resources back, after what a shell says of a command. */
  void complete(int exitCode) {
    complete(
        exitCode > 128 && exitCode < 193
            ? new ExitCode(0, exitCode - 128)
            : new ExitCode(exitCode, 0));
  }

  /** Gives the resources back; what has been taken away already is no error. */
  void complete(ExitCode exit) {
    ended = true;
    try {
      client.completeJob(Integer.toString(id), exit);
    } catch (ClientException.Refused e) {
      // It ended by itself: cancelled, or at its time limit.
      return;
    } catch (ClientException e) {
      io.err()
          .println(
              program
                  + ": error: Unable to clean up job allocation "
                  + id
                  + ": "
                  + Session.words(e));
    }
  }

  /** The seconds of --immediate; null when it was not given. */
  static @Nullable Integer immediate(Map<String, String> options) {
    String value = options.get("immediate");
    if (value == null) {
      return null;
    }
    return value.matches("[0-9]{1,9}") ? Integer.valueOf(value) : Integer.valueOf(0);
  }
}
