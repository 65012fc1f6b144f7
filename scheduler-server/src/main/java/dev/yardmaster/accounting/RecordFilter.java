package dev.yardmaster.accounting;

import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.HetInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.RecordQuery;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which records a query means, and in which order (sacct(1)). */
final class RecordFilter {
  /** By submission; what is no array first, then by array, task and job. */
  static final Comparator<JobRecord> ORDER =
      Comparator.comparing(JobRecord::submitted)
          .thenComparingInt(JobRecord::arrayJobId)
          .thenComparingLong(RecordFilter::task)
          .thenComparing(JobRecord::key);

  private final RecordQuery query;

  RecordFilter(RecordQuery query) {
    this.query = query;
  }

  /** The record of an array comes after those of its tasks. */
  private static long task(JobRecord record) {
    ArrayInfo array = record.job().array();
    Integer task = array == null ? null : array.taskId();
    return task == null ? Long.MAX_VALUE : task;
  }

  /** What is meant of some records, in order; earlier runs only where they are asked for. */
  List<JobRecord> of(List<JobRecord> records) {
    List<JobRecord> meant = new ArrayList<>(records.stream().filter(this::matches).toList());
    if (!query.duplicates()) {
      meant.sort(
          Comparator.comparingInt((JobRecord r) -> r.key().jobId())
              .thenComparing(JobRecord::submitted, Comparator.reverseOrder())
              .thenComparing(r -> r.key().run(), Comparator.reverseOrder()));
      Set<Integer> seen = new HashSet<>();
      meant.removeIf(r -> !r.resized() && !seen.add(r.key().jobId()));
    }
    if (!query.nodes().isEmpty()) {
      meant.removeIf(r -> !usedNodes(r));
    }
    meant.sort(ORDER);
    return meant;
  }

  boolean matches(JobRecord r) {
    Job job = r.job();
    return isWanted(r)
        && isInWindow(r)
        && among(query.users(), job.owner().uid())
        && among(query.groups(), job.owner().gid())
        && anyCase(query.accounts(), job.owner().account())
        && among(query.associations(), r.association())
        && anyCase(query.partitions(), partition(r))
        && among(query.qos(), r.qosId())
        && anyCase(query.names(), job.name())
        && anyCase(query.wckeys(), job.owner().wckey())
        && among(query.reasons(), r.reason().text())
        && hasConstraints(job)
        && hasFlags(r)
        && isBetween(nodes(r), query.minNodes(), query.maxNodes())
        && isBetween(r.allocated().cpus(), query.minCpus(), query.maxCpus())
        && isBetween(job.timeLimitMinutes(), query.minMinutes(), query.maxMinutes());
  }

  private static <T> boolean among(List<T> wanted, T value) {
    return wanted.isEmpty() || wanted.contains(value);
  }

  /** A database compares names without regard to their case. */
  private static boolean anyCase(List<String> wanted, String value) {
    return wanted.isEmpty() || wanted.stream().anyMatch(value::equalsIgnoreCase);
  }

  private static boolean isBetween(long value, long least, long most) {
    return least == 0 || (most == 0 ? value == least : value >= least && value <= most);
  }

  /** All partitions that it asks for, as one text, until it runs in one. */
  static String partition(JobRecord r) {
    return r.started() == null ? String.join(",", r.job().partitions()) : r.job().partition();
  }

  private static int nodes(JobRecord r) {
    return r.started() == null || r.job().allocation() == null
        ? 0
        : r.job().allocation().shares().size();
  }

  private boolean isWanted(JobRecord r) {
    return query.jobs().isEmpty() || query.jobs().stream().anyMatch(w -> isMeant(w, r));
  }

  private boolean isMeant(RecordQuery.Wanted wanted, JobRecord r) {
    ArrayInfo array = r.job().array();
    HetInfo het = r.component() ? r.job().het() : null;
    if (wanted.task() instanceof Integer task) {
      return array != null
          && array.arrayJobId() == wanted.id()
          && (Objects.equals(array.taskId(), task)
              || array.taskId() == null && array.waiting().contains(task));
    }
    if (wanted.offset() instanceof Integer offset) {
      return het != null
          && het.hetJobId() == wanted.id()
          && (het.offset() == offset || Boolean.TRUE.equals(query.wholeHet()));
    }
    if (array != null && array.arrayJobId() == wanted.id()) {
      return true;
    }
    if (het == null) {
      return r.key().jobId() == wanted.id();
    }
    Boolean whole = query.wholeHet();
    boolean sibling =
        whole == null
            ? het.hetJobId() == wanted.id()
            : whole && wanted.id() >= het.hetJobId() && wanted.id() < het.hetJobId() + het.size();
    return r.key().jobId() == wanted.id() || sibling;
  }

  private boolean isInWindow(JobRecord r) {
    Instant end = query.end();
    if (!query.states().isEmpty()) {
      return query.states().stream().anyMatch(state -> wasIn(state, r));
    }
    boolean notBefore = r.ended() == null || !isBefore(r.ended(), query.start());
    if (!query.jobs().isEmpty()) {
      return r.submitted().isBefore(end) && notBefore;
    }
    return r.eligible() != null && r.eligible().isBefore(end) && notBefore;
  }

  private static boolean isBefore(Instant time, @Nullable Instant bound) {
    return bound != null && time.isBefore(bound);
  }

  private static boolean isAfter(Instant time, @Nullable Instant bound) {
    return bound == null || time.isAfter(bound);
  }

  private boolean wasIn(String state, JobRecord r) {
    Instant start = query.start();
    return switch (state) {
      case "PENDING" ->
          r.eligible() != null
              && r.eligible().isBefore(query.end())
              && (r.started() != null
                  ? isAfter(r.started(), start)
                  : r.ended() != null ? isAfter(r.ended(), start) : isPlain(r, JobState.PENDING));
      case "RUNNING" ->
          r.started() != null
              && r.started().isBefore(query.end())
              && (r.ended() == null ? isPlain(r, JobState.RUNNING) : isAfter(r.ended(), start));
      case "SUSPENDED" -> wasSuspended(r);
      case "REQUEUED" -> r.requeued() && endedInWindow(r);
      case "RESIZING" -> r.resized() && endedInWindow(r);
      default ->
          !r.requeued() && !r.resized() && r.state().name().equals(state) && endedInWindow(r);
    };
  }

  private static boolean isPlain(JobRecord r, JobState state) {
    return !r.requeued() && !r.resized() && r.state() == state;
  }

  /** Of suspensions that are over only their length is kept, not when they were. */
  private boolean wasSuspended(JobRecord r) {
    Instant since = r.suspendedSince();
    if (since != null) {
      return !since.isAfter(query.end());
    }
    return r.suspendedSeconds() > 0
        && r.started() != null
        && !r.started().isAfter(query.end())
        && (r.ended() == null || isAfter(r.ended(), query.start()));
  }

  private boolean endedInWindow(JobRecord r) {
    Instant ended = r.ended();
    return ended != null && !isBefore(ended, query.start()) && !ended.isAfter(query.end());
  }

  private boolean hasConstraints(Job job) {
    String features = job.request().features() == null ? "" : job.request().features().toString();
    return query.constraints().stream()
        .allMatch(wanted -> wanted.isEmpty() ? features.isEmpty() : features.contains(wanted));
  }

  private boolean hasFlags(JobRecord r) {
    List<String> own = r.flags();
    return query.flags().isEmpty() || query.flags().stream().anyMatch(own::contains);
  }

  private boolean usedNodes(JobRecord r) {
    if (r.started() == null || r.job().allocation() == null) {
      return false;
    }
    HostList used = r.job().allocation().nodes();
    return used.stream().anyMatch(query.nodes()::contains);
  }
}
