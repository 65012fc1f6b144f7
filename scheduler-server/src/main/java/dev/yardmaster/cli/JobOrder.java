package dev.yardmaster.cli;

import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Job;
import java.time.Instant;
import java.util.Comparator;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The order of squeue's rows (squeue(1), {@code --sort}). */
final class JobOrder {
  private static final Comparator<Instant> TIME = Comparator.naturalOrder();

  private JobOrder() {}

  /**
   * Reads fields of {@code -o} with an optional sign, the most important first, with or without
   * commas.
   *
   * @throws CommandFailure naming a field by which nothing can be sorted
   */
  static Comparator<JobFacts> parse(String text) throws CommandFailure {
    Comparator<JobFacts> order = (a, b) -> 0;
    boolean descending = false;
    for (char c : text.toCharArray()) {
      if (c == ',' || c == '+') {
        continue;
      }
      if (c == '-') {
        descending = true;
        continue;
      }
      Comparator<JobFacts> by = by(c);
      if (by == null) {
        throw new CommandFailure(
            1,
            "squeue: error: Invalid sort specification: " + c,
            Hint.of("sort by letters of -o such as i, P, t, u or Q, each with an optional + or -"));
      }
      order = order.thenComparing(descending ? by.reversed() : by);
      descending = false;
    }
    return order;
  }

  private static @Nullable Comparator<JobFacts> by(char letter) {
    return switch (letter) {
      case 'a' -> text(f -> f.job().owner().account());
      case 'b' -> text(f -> f.tres(GresRequest.Scope.NODE));
      case 'B' -> text(JobFacts::batchHost);
      case 'c' -> number(f -> f.job().request().minCpusPerNode());
      case 'C' -> number(JobFacts::cpus);
      case 'd' -> number(f -> f.job().request().tmpDiskMib());
      case 'D' -> number(JobFacts::nodeCount);
      case 'e' -> time(JobFacts::end);
      case 'f' -> text(JobFacts::features);
      case 'F', 'i' -> JobOrder::byId;
      case 'A' -> number(f -> f.job().id());
      case 'g' -> text(f -> f.job().owner().group());
      case 'G' -> number(f -> f.job().owner().gid());
      case 'j' -> text(f -> f.job().name());
      case 'l' -> number(f -> f.isUnlimited() ? Long.MAX_VALUE : f.job().timeLimitMinutes());
      case 'L' ->
          number(
              f ->
                  f.isUnlimited()
                      ? Long.MAX_VALUE
                      : 60 * f.job().timeLimitMinutes() - f.runSeconds());
      case 'm' -> number(f -> f.job().request().memory().mib());
      case 'M' -> number(JobFacts::runSeconds);
      case 'n' -> text(f -> f.job().request().requiredNodes().toString());
      case 'N' -> text(f -> f.nodes().toString());
      case 'p', 'Q' -> number(f -> f.job().priority());
      case 'P' -> text(JobFacts::partition);
      case 'q' -> text(f -> f.job().owner().qos());
      case 'r', 'R' -> text(JobFacts::nodesOrReason);
      case 'S' -> time(JobFacts::start);
      case 't' -> text(f -> f.state().code());
      case 'T' -> text(f -> f.state().toString());
      case 'u' -> text(f -> f.job().owner().user());
      case 'U' -> number(f -> f.job().owner().uid());
      case 'v' -> text(f -> f.job().reservation() == null ? "" : f.job().reservation());
      case 'V' -> time(f -> f.job().submitted());
      case 'y' -> number(f -> f.job().nice());
      default -> null;
    };
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
    return Comparator.comparing(key);
  }

  private static Comparator<JobFacts> number(ToLongFunction<JobFacts> key) {
    return Comparator.comparingLong(key);
  }

  private static Comparator<JobFacts> time(Function<JobFacts, @Nullable Instant> key) {
    return Comparator.comparing(key, Comparator.nullsLast(TIME));
  }
}
