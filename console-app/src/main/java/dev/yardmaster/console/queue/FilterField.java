package dev.yardmaster.console.queue;

import dev.yardmaster.console.connect.JobSize;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A field that the filter of the queue knows. */
enum FilterField {
  ID("id", "id:4711") {
    @Override
    Predicate<Job> matches(String value, Terms terms) {
      Predicate<String> whole = Wildcard.whole(value);
      return job -> whole.test(job.displayId()) || value.equals(Integer.toString(arrayOrOwn(job)));
    }
  },
  NAME("name", "name:train*") {
    @Override
    Predicate<Job> matches(String value, Terms terms) {
      Predicate<String> within = Wildcard.within(value);
      return job -> within.test(job.name());
    }
  },
  USER("user", "user:alice") {
    @Override
    Predicate<Job> matches(String value, Terms terms) {
      Predicate<String> whole = Wildcard.whole(value);
      return job -> whole.test(job.owner().user());
    }
  },
  ACCOUNT("account", "account:nlp") {
    @Override
    Predicate<Job> matches(String value, Terms terms) {
      Predicate<String> whole = Wildcard.whole(value);
      return job -> whole.test(job.owner().account());
    }
  },
  PARTITION("partition", "partition:train") {
    @Override
    Predicate<Job> matches(String value, Terms terms) {
      Predicate<String> whole = Wildcard.whole(value);
      return job -> job.partitions().stream().anyMatch(whole);
    }
  },
  QOS("qos", "qos:normal") {
    @Override
    Predicate<Job> matches(String value, Terms terms) {
      Predicate<String> whole = Wildcard.whole(value);
      return job -> whole.test(job.owner().qos());
    }
  },
  STATE("state", "state:PD") {
    @Override
    Predicate<Job> matches(String value, Terms terms) throws FilterException {
      String upper = value.toUpperCase(Locale.ROOT);
      boolean known =
          Stream.concat(
                  Arrays.stream(JobState.values()).flatMap(s -> Stream.of(s.name(), s.code())),
                  Arrays.stream(JobFlag.values()).flatMap(f -> Stream.of(f.name(), f.code())))
              .anyMatch(upper::equals);
      if (!known) {
        String codes =
            Arrays.stream(JobState.values()).map(JobState::code).collect(Collectors.joining(" "));
        throw new FilterException(QueueText.FILTER_UNKNOWN_STATE, value, codes);
      }
      return job ->
          job.state().code().equals(upper)
              || job.state().name().equals(upper)
              || job.flags().stream()
                  .anyMatch(flag -> flag.code().equals(upper) || flag.name().equals(upper));
    }
  },
  REASON("reason", "reason:Resources") {
    @Override
    Predicate<Job> matches(String value, Terms terms) {
      // Slurm's own word means that reason alone; Dependency is not DependencyNeverSatisfied.
      if (Reason.ofText(value).isPresent()) {
        return job -> job.reason().text().equals(value);
      }
      Predicate<String> within = Wildcard.within(value);
      return job -> within.test(job.reason().text()) || within.test(terms.reason(job));
    }
  },
  NODE("node", "node:n01") {
    @Override
    Predicate<Job> matches(String value, Terms terms) {
      Predicate<String> whole = Wildcard.whole(value);
      return job ->
          job.allocation() != null
              && job.allocation().shares().stream().anyMatch(share -> whole.test(share.node()));
    }
  },
  GPUS("gpus", "gpus>4", JobSize::gpus),
  CPUS("cpus", "cpus>=32", JobSize::cpus),
  NODES("nodes", "nodes>1", JobSize::nodes),
  PRIORITY("priority", "priority<100", Job::priority);

  private final String word;
  private final String example;
  private final @Nullable ToLongFunction<Job> number;

  FilterField(String word, String example) {
    this(word, example, null);
  }

  FilterField(String word, String example, @Nullable ToLongFunction<Job> number) {
    this.word = word;
    this.example = example;
    this.number = number;
  }

  /** The field that a word begins with, or null; the beginning of a name is enough. */
  static @Nullable FilterField byName(String name) {
    List<FilterField> found =
        Arrays.stream(values()).filter(field -> field.word.startsWith(name)).toList();
    return found.isEmpty() || name.isEmpty()
        ? null
        : found.stream()
            .filter(field -> field.word.equals(name))
            .findFirst()
            .orElse(found.getFirst());
  }

  static String names() {
    return Arrays.stream(values()).map(field -> field.word).collect(Collectors.joining(", "));
  }

  String example() {
    return example;
  }

  /** Jobs that meet a condition on this field. */
  Predicate<Job> predicate(String operator, String value, Terms terms) throws FilterException {
    ToLongFunction<Job> amount = number;
    if (amount != null) {
      return compare(operator, value, amount);
    }
    if (operator.startsWith("<") || operator.startsWith(">")) {
      throw new FilterException(QueueText.FILTER_NOT_A_NUMBER_FIELD, word, example);
    }
    Predicate<Job> any = job -> false;
    for (String one : value.split(",")) {
      any = any.or(matches(one, terms));
    }
    return operator.equals("!=") ? any.negate() : any;
  }

  /** Jobs whose field is {@code value}; fields that are numbers are compared instead. */
  Predicate<Job> matches(String value, Terms terms) throws FilterException {
    throw new IllegalStateException(word + " is compared as a number");
  }

  private Predicate<Job> compare(String operator, String value, ToLongFunction<Job> amount)
      throws FilterException {
    long wanted;
    try {
      wanted = Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new FilterException(QueueText.FILTER_NOT_A_NUMBER, value, word, example);
    }
    return switch (operator) {
      case ">" -> job -> amount.applyAsLong(job) > wanted;
      case ">=" -> job -> amount.applyAsLong(job) >= wanted;
      case "<" -> job -> amount.applyAsLong(job) < wanted;
      case "<=" -> job -> amount.applyAsLong(job) <= wanted;
      case "!=" -> job -> amount.applyAsLong(job) != wanted;
      default -> job -> amount.applyAsLong(job) == wanted;
    };
  }

  private static int arrayOrOwn(Job job) {
    return job.array() != null ? job.array().arrayJobId() : job.id();
  }
}
