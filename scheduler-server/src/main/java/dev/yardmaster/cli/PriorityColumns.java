package dev.yardmaster.cli;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.PriorityFactors;
import dev.yardmaster.model.text.TresList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The columns of sprio(1). A capital letter is the weighted factor, a small one the factor itself.
 */
final class PriorityColumns {
  /** A line: a job, or the weights. */
  sealed interface Row {
    record Of(Job job) implements Row {}

    record Weights() implements Row {}
  }

  private final Map<String, String> config;

  PriorityColumns(Map<String, String> config) {
    // The spelling of PriorityWeightFairShare differs between slurm.conf and scontrol.
    TreeMap<String, String> ignoringCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    ignoringCase.putAll(config);
    this.config = ignoringCase;
  }

  private long weight(String factor) {
    try {
      return Long.parseLong(config.getOrDefault("PriorityWeight" + factor, "0").strip());
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** The format without options: the columns of the factors that weigh something. */
  String standard() {
    StringBuilder out = new StringBuilder("%.15i %9r %.10Y %.10S");
    append(out, "Age", 'A');
    append(out, "Assoc", 'B');
    append(out, "FairShare", 'F');
    append(out, "JobSize", 'J');
    append(out, "Partition", 'P');
    append(out, "QOS", 'Q');
    if (!config.getOrDefault("PriorityWeightTRES", "").isEmpty()) {
      out.append(" %.20T");
    }
    return out.toString();
  }

  /** The same with factors from 0 to 1. */
  String normalized() {
    StringBuilder out = new StringBuilder("%.15i %9r %10y");
    for (String factor : List.of("Age", "Assoc", "FairShare", "JobSize", "Partition", "QOS")) {
      if (!config.getOrDefault("PriorityWeight" + factor, "0").equals("0")) {
        out.append(" %10").append(Character.toLowerCase(letter(factor)));
      }
    }
    return out.toString();
  }

  private static char letter(String factor) {
    return factor.equals("Assoc") ? 'B' : factor.charAt(0);
  }

  private void append(StringBuilder out, String factor, char letter) {
    if (weight(factor) != 0) {
      out.append(" %.10").append(letter);
    }
  }

  /** The columns by letter. */
  Map<Character, Layout.Field<Row>> letters() {
    Map<Character, Layout.Field<Row>> letters = new HashMap<>();
    add(letters, 'i', "JOBID", "Weights", job -> Integer.toString(job.id()));
    add(letters, 'r', "PARTITION", "", Job::partition);
    add(letters, 'u', "USER", "", job -> job.owner().user());
    add(letters, 'o', "ACCOUNT", "", job -> job.owner().account());
    add(letters, 'n', "QOSNAME", "", job -> job.owner().qos());
    add(letters, 'c', "CLUSTER", JobFacts.NULL, job -> JobFacts.NULL);
    add(letters, 'N', "NICE", "", job -> Long.toString(job.factors().nice()));
    add(letters, 'Y', "PRIORITY", "", job -> Long.toString(job.priority()));
    add(
        letters,
        'y',
        "PRIORITY",
        "",
        job -> String.format(Locale.ROOT, "%.8f", job.priority() / 4294967296.0));
    add(letters, 'S', "SITE", "1", job -> whole(job.factors().site()));
    factor(letters, 'A', "AGE", "Age", PriorityFactors::age);
    factor(letters, 'B', "ASSOC", "Assoc", PriorityFactors::assoc);
    factor(letters, 'F', "FAIRSHARE", "FairShare", PriorityFactors::fairShare);
    factor(letters, 'J', "JOBSIZE", "JobSize", PriorityFactors::jobSize);
    factor(letters, 'P', "PARTITION", "Partition", PriorityFactors::partition);
    factor(letters, 'Q', "QOS", "QOS", PriorityFactors::qos);
    String weights = config.getOrDefault("PriorityWeightTRES", "");
    Function<Job, String> tres = job -> tres(job.factors());
    String shown = weights.isEmpty() ? "(null)" : weights;
    add(letters, 'T', "TRES", shown, tres);
    add(letters, 't', "TRES", shown, tres);
    return letters;
  }

  /** What each TRES adds, in Slurm's order; what adds nothing is left out. */
  private static String tres(PriorityFactors factors) {
    TreeMap<String, Long> rounded = new TreeMap<>();
    factors
        .tresByName()
        .forEach(
            (name, value) -> {
              if (value != 0) {
                rounded.put(name, Math.round(value));
              }
            });
    return new TresList(rounded)
        .amounts().entrySet().stream()
            .map(e -> e.getKey() + "=" + e.getValue())
            .collect(Collectors.joining(","));
  }

  private void factor(
      Map<Character, Layout.Field<Row>> letters,
      char letter,
      String header,
      String name,
      ToDoubleFunction<PriorityFactors> value) {
    long weight = weight(name);
    String weights = Long.toString(weight);
    add(letters, letter, header, weights, job -> whole(value.applyAsDouble(job.factors())));
    add(
        letters,
        Character.toLowerCase(letter),
        header,
        weights,
        job ->
            String.format(
                Locale.ROOT,
                "%.7f",
                weight == 0 ? 0 : value.applyAsDouble(job.factors()) / weight));
  }

  private static void add(
      Map<Character, Layout.Field<Row>> letters,
      char letter,
      String header,
      String weights,
      Function<Job, String> text) {
    letters.put(
        letter,
        new Layout.Field<>(
            header,
            row ->
                switch (row) {
                  case Row.Of of -> text.apply(of.job());
                  case Row.Weights w -> weights;
                }));
  }

  private static String whole(double value) {
    return Long.toString(Math.round(value));
  }

  /**
   * Reads fields of {@code -o} with an optional sign.
   *
   * @throws CommandFailure naming a field by which nothing can be sorted
   */
  static Comparator<Job> order(String text) throws CommandFailure {
    Comparator<Job> order = (a, b) -> 0;
    boolean descending = false;
    for (char c : text.toCharArray()) {
      if (c == ',' || c == '+') {
        continue;
      }
      if (c == '-') {
        descending = true;
        continue;
      }
      Comparator<Job> by = by(c);
      order = order.thenComparing(descending ? by.reversed() : by);
      descending = false;
    }
    return order;
  }

  private static Comparator<Job> by(char letter) throws CommandFailure {
    return switch (letter) {
      case 'i' -> Comparator.comparingInt(Job::id);
      case 'u' -> Comparator.comparing(job -> job.owner().user());
      case 'o' -> Comparator.comparing(job -> job.owner().account());
      case 'r' -> Comparator.comparing(Job::partition);
      case 'n' -> Comparator.comparing(job -> job.owner().qos());
      case 'y', 'Y' -> Comparator.comparingLong(Job::priority);
      case 'N' -> Comparator.comparingLong(job -> job.factors().nice());
      case 'a', 'A' -> Comparator.comparingDouble(job -> job.factors().age());
      case 'b', 'B' -> Comparator.comparingDouble(job -> job.factors().assoc());
      case 'f', 'F' -> Comparator.comparingDouble(job -> job.factors().fairShare());
      case 'j', 'J' -> Comparator.comparingDouble(job -> job.factors().jobSize());
      case 'p', 'P' -> Comparator.comparingDouble(job -> job.factors().partition());
      case 'q', 'Q' -> Comparator.comparingDouble(job -> job.factors().qos());
      case 'S' -> Comparator.comparingDouble(job -> job.factors().site());
      case 't', 'T' -> Comparator.comparingDouble(job -> job.factors().tres());
      default -> throw new CommandFailure(1, "sprio: error: Invalid sort specification: " + letter);
    };
  }
}
