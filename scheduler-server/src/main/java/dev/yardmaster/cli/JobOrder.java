package dev.yardmaster.cli;

import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The order of squeue's rows (squeue(1), {@code --sort}). Jobs that are equal in what was asked for
 * come latest start first, those without a start last and newest first; steps as they began.
 */
final class JobOrder {
  private static final Comparator<JobFacts> NONE = (a, b) -> 0;

  private final Io io;
  private final ToIntFunction<JobFacts> tier;
  private final Instant now;

  /**
   * @param tier the PriorityTier of the partition of a row, which comes before its priority
   * @param now the start of what could start already
   */
  JobOrder(Io io, ToIntFunction<JobFacts> tier, Instant now) {
    this.io = io;
    this.tier = tier;
    this.now = now;
  }

  /**
   * Sorts rows by letters of {@code -o} with an optional sign, the most important first, with or
   * without commas.
   *
   * @param one whether one job was asked for
   * @throws CommandFailure naming a letter by which nothing can be sorted
   */
  void sort(List<JobFacts> rows, String keys, boolean one, boolean steps) throws CommandFailure {
    if (!steps) {
      Map<Integer, Integer> places = places(rows.stream().map(JobFacts::job).toList(), one);
      rows.sort(number(row -> places.getOrDefault(row.job().id(), 0)));
      Sorting.nothingLast(rows, starts(true), row -> startOf(row) == null);
    }
    // From the least important on, as each sort keeps the order of what is equal to it.
    for (int i = keys.length() - 1; i >= 0; i--) {
      char letter = keys.charAt(i);
      if (letter == ',' || letter == '+' || letter == '-') {
        continue;
      }
      int word = i - "cluster".length() + 1;
      if (word >= 0 && keys.regionMatches(true, word, "cluster", 0, "cluster".length())) {
        // One cluster has one name.
        i = word;
        continue;
      }
      boolean descending = i > 0 && keys.charAt(i - 1) == '-';
      Comparator<JobFacts> by = by(letter, descending, steps);
      if (letter == 'S' && !steps) {
        Sorting.nothingLast(rows, by, row -> startOf(row) == null);
      } else if (letter == 'N' && !descending) {
        Sorting.nothingLast(rows, by, row -> first(row, steps) == null);
      } else {
        rows.sort(by);
      }
    }
  }

  private Comparator<JobFacts> by(char letter, boolean descending, boolean steps)
      throws CommandFailure {
    if (letter == 'b') {
      io.err().println("squeue: Invalid sort specification: b");
      return NONE;
    }
    Comparator<JobFacts> by = steps ? ofSteps(letter) : ofJobs(letter);
    if (by == null) {
      if (steps) {
        return NONE;
      }
      throw new CommandFailure(
          1,
          "squeue: error: Invalid sort specification: " + letter,
          Hint.of("sort by letters of -o such as i, P, t, u or Q, each with an optional + or -"));
    }
    return !descending ? by : letter == 'S' && !steps ? starts(true) : by.reversed();
  }

  private @Nullable Comparator<JobFacts> ofSteps(char letter) {
    return switch (letter) {
      case 'i' ->
          number(f -> f.job().id())
              .thenComparing(number(f -> f.step() == null ? Long.MAX_VALUE : f.step().stepId()));
      case 'N' -> nodes(true);
      case 'P' -> text(JobFacts::partition);
      case 'l' -> NONE;
      case 'S' -> time(JobFacts::stepStart);
      case 'M' -> Comparator.comparing(JobFacts::stepStart, Comparator.reverseOrder());
      case 'u' -> text(f -> f.job().owner().user());
      case 'U' -> number(f -> f.job().owner().uid());
      default -> null;
    };
  }

  private @Nullable Comparator<JobFacts> ofJobs(char letter) {
    return switch (letter) {
      case 'B' -> text(f -> f.isPending() ? "" : f.batchHost());
      case 'c', 'f', 'h', 'n', 'O' -> NONE;
      case 'C' -> number(JobFacts::cpus);
      case 'd' -> number(f -> f.job().request().tmpDiskMib());
      case 'D' -> number(JobFacts::nodeCount);
      case 'e' -> time(JobFacts::end);
      case 'g' -> text(f -> f.job().owner().group());
      case 'G' -> number(f -> f.job().owner().gid());
      case 'H' -> unset(f -> f.job().request().socketsPerNode());
      case 'i' -> JobOrder::byId;
      case 'I' -> unset(f -> f.job().request().coresPerSocket());
      case 'j' -> text(f -> f.job().name());
      case 'J' -> unset(f -> f.job().request().threadsPerCore());
      case 'l' -> number(f -> f.isUnlimited() ? Long.MAX_VALUE : f.job().timeLimitMinutes());
      case 'L' ->
          number(
              f ->
                  f.isUnlimited()
                      ? Long.MAX_VALUE
                      : 60 * f.job().timeLimitMinutes() - f.runSeconds());
      case 'm' -> number(f -> f.job().request().memory().mib());
      case 'M' -> number(JobFacts::runSeconds);
      case 'N' -> nodes(false);
      case 'p', 'Q' ->
          (a, b) -> {
            int order = Integer.compare(tier.applyAsInt(a), tier.applyAsInt(b));
            return order == 0 ? Long.compare(a.job().priority(), b.job().priority()) : order;
          };
      case 'P' -> text(JobFacts::partition);
      case 'S' -> starts(false);
      case 't' -> text(f -> f.state().code());
      case 'T' -> text(f -> f.state().toString());
      case 'u' -> text(f -> f.job().owner().user());
      case 'U' -> number(f -> f.job().owner().uid());
      case 'v' -> text(f -> f.job().reservation() == null ? "" : f.job().reservation());
      case 'V' -> time(f -> f.job().submitted());
      case 'z' ->
          unset(f -> f.job().request().socketsPerNode())
              .thenComparing(unset(f -> f.job().request().coresPerSocket()))
              .thenComparing(unset(f -> f.job().request().threadsPerCore()));
      default -> null;
    };
  }

  /**
   * Where the controller has each job in its list. When a task of an array starts, it takes the
   * place of the tasks that wait, and these go to the end.
   *
   * @param one whether one job was asked for
   */
  static Map<Integer, Integer> places(Collection<Job> jobs, boolean one) {
    if (one) {
      return newestFirst(jobs);
    }
    Map<Integer, TreeMap<Integer, Job>> arrays = new HashMap<>();
    Map<Integer, Integer> places = new HashMap<>();
    for (Job job : jobs) {
      ArrayInfo array = job.array();
      places.put(job.id(), job.id());
      if (array != null) {
        int order = array.taskId() == null ? Integer.MAX_VALUE : job.id();
        arrays.computeIfAbsent(array.arrayJobId(), id -> new TreeMap<>()).put(order, job);
      }
    }
    arrays.forEach(
        (id, records) -> {
          int place = id;
          for (Job job : records.values()) {
            places.put(job.id(), place);
            place = job.id();
          }
        });
    return places;
  }

  /** Of one array, the controller names what waits and then the tasks, the last one first. */
  private static Map<Integer, Integer> newestFirst(Collection<Job> jobs) {
    Map<Integer, Integer> places = new HashMap<>();
    for (Job job : jobs) {
      ArrayInfo array = job.array();
      boolean task = array != null && array.taskId() != null;
      int first = job.het() == null ? Integer.MIN_VALUE : job.id();
      places.put(job.id(), task ? -job.id() : first);
    }
    return places;
  }

  /** By start; what has none comes last either way. */
  private Comparator<JobFacts> starts(boolean descending) {
    return (a, b) -> {
      Instant first = startOf(a);
      Instant second = startOf(b);
      if (first == null || second == null) {
        return Boolean.compare(first == null, second == null);
      }
      return descending ? second.compareTo(first) : first.compareTo(second);
    };
  }

  private @Nullable Instant startOf(JobFacts row) {
    Instant start = row.start();
    return start != null && row.isPending() && start.isBefore(now) ? now : start;
  }

  /** By the number that a user writes, then by task or component. */
  private static int byId(JobFacts a, JobFacts b) {
    int order = Integer.compare(number(a.job()), number(b.job()));
    return order != 0 ? order : Integer.compare(part(a), part(b));
  }

  private static int number(Job job) {
    return job.array() != null
        ? job.array().arrayJobId()
        : job.het() != null ? job.het().hetJobId() : job.id();
  }

  private static int part(JobFacts facts) {
    if (facts.task() != null) {
      return facts.task();
    }
    Job job = facts.job();
    if (job.array() != null) {
      return job.array().taskId() == null ? Integer.MAX_VALUE : job.array().taskId();
    }
    return job.het() == null ? 0 : job.het().offset();
  }

  private static Comparator<JobFacts> text(Function<JobFacts, String> key) {
    return (a, b) -> key.apply(a).compareTo(key.apply(b));
  }

  private static Comparator<JobFacts> number(ToLongFunction<JobFacts> key) {
    return (a, b) -> Long.compare(key.applyAsLong(a), key.applyAsLong(b));
  }

  /** A count; one that was not given is more than any. */
  private static Comparator<JobFacts> unset(ToIntFunction<JobFacts> key) {
    return number(
        row -> {
          int count = key.applyAsInt(row);
          return count == 0 ? Integer.MAX_VALUE : count;
        });
  }

  /** By the first of its nodes, as numbers where they are; no node comes last. */
  private static Comparator<JobFacts> nodes(boolean steps) {
    return Comparator.comparing(row -> first(row, steps), Comparator.nullsLast(HostList.ORDER));
  }

  private static @Nullable String first(JobFacts row, boolean steps) {
    if (steps && row.step() == null) {
      return row.batchHost();
    }
    HostList nodes = row.step() == null ? row.nodes() : row.step().nodes();
    return nodes.sorted().stream().findFirst().orElse(null);
  }

  /** By a time; none comes first. */
  private static Comparator<JobFacts> time(Function<JobFacts, @Nullable Instant> key) {
    return Comparator.comparing(key, Comparator.nullsFirst(Comparator.<Instant>naturalOrder()));
  }
}
