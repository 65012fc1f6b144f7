package dev.yardmaster.console.queue;

import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the filter bar of the queue understands: words, and fields such as {@code user:alice},
 * {@code state:PD,R}, {@code gpus>4} or {@code -partition:train}. All must hold; several values of
 * one field are alternatives; upper and lower case are the same; {@code *} stands for anything; a
 * value with spaces is put in double quotes.
 */
public final class JobFilter {
  private static final Pattern TERM =
      Pattern.compile("(-?)([a-zA-Z]+)(!=|>=|<=|:|=|>|<)(.*)", Pattern.DOTALL);

  private JobFilter() {}

  /**
   * The jobs that a filter lets through. Looks at nothing but the job, so it may be used on any
   * thread.
   *
   * @throws FilterException naming the part that is not understood, with nothing applied
   */
  public static Predicate<Job> parse(String text, Terms terms) throws FilterException {
    List<Predicate<Job>> all = new ArrayList<>();
    for (String token : tokens(text)) {
      Matcher term = TERM.matcher(token);
      if (term.matches()) {
        Predicate<Job> one = field(term, terms);
        all.add(term.group(1).isEmpty() ? one : one.negate());
      } else {
        all.add(word(token, terms));
      }
    }
    return job -> {
      for (Predicate<Job> one : all) {
        if (!one.test(job)) {
          return false;
        }
      }
      return true;
    };
  }

  private static Predicate<Job> field(Matcher term, Terms terms) throws FilterException {
    String name = term.group(2).toLowerCase(Locale.ROOT);
    String operator = term.group(3);
    String value = unquoted(term.group(4));
    FilterField field = FilterField.byName(name);
    if (field == null) {
      throw new FilterException(QueueText.FILTER_UNKNOWN_FIELD, term.group(2), FilterField.names());
    }
    if (value.isEmpty()) {
      throw new FilterException(QueueText.FILTER_NO_VALUE, term.group(2), field.example());
    }
    return field.predicate(operator, value, terms);
  }

  private static Predicate<Job> word(String token, Terms terms) {
    Predicate<String> contains = Wildcard.within(unquoted(token));
    return job ->
        contains.test(job.displayId())
            || contains.test(job.name())
            || contains.test(job.owner().user())
            || contains.test(job.owner().account())
            || contains.test(job.partition())
            || contains.test(terms.reason(job));
  }

  /** Splits at spaces outside double quotes. */
  private static List<String> tokens(String text) {
    List<String> tokens = new ArrayList<>();
    StringBuilder token = new StringBuilder();
    boolean quoted = false;
    for (char c : text.toCharArray()) {
      quoted ^= c == '"';
      if (Character.isWhitespace(c) && !quoted) {
        add(tokens, token);
      } else {
        token.append(c);
      }
    }
    add(tokens, token);
    return tokens;
  }

  private static void add(List<String> tokens, StringBuilder token) {
    if (!token.isEmpty()) {
      tokens.add(token.toString());
      token.setLength(0);
    }
  }

  private static String unquoted(String text) {
    return text.replace("\"", "");
  }
}
