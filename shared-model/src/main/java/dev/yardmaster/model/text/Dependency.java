package dev.yardmaster.model.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a job waits for (sbatch(1), {@code --dependency}): {@code afterok:1:2,afterany:3_*} needs
 * all, {@code afterok:1?afterok:2} needs any. One list is joined by "," or by "?", never by both.
 * Each target is a term of its own, as {@code scontrol} prints them.
 *
 * @param any whether one fulfilled term is enough
 * @param terms the terms, in the order given; none means no dependency
 */
public record Dependency(boolean any, List<Term> terms) {
  /** No dependency; printed as the empty text. */
  public static final Dependency NONE = new Dependency(false, List.of());

  private static final String NOTATION = "dependency";
  private static final String HELP = "write type:id[:id][,type:id] or type:id?type:id";

  public Dependency {
    terms = List.copyOf(terms);
    any = any && terms.size() > 1;
  }

  /** When a term is fulfilled, with Slurm's name in {@link #toString}. */
  public enum Type {
    /** The other job has begun, or was cancelled, perhaps some minutes ago. */
    AFTER,
    AFTERANY,
    AFTERBURSTBUFFER,
    /** Task by task of two arrays. */
    AFTERCORR,
    AFTERNOTOK,
    AFTEROK,
    /** The allocation joins the other job's. */
    EXPAND,
    /** No other job of this name and user runs or is suspended. */
    SINGLETON;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What {@code scontrol} prints behind a term. */
  public enum Status {
    UNFULFILLED,
    FAILED,
    FULFILLED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One condition.
   *
   * @param target the job or task waited for; null only for singleton
   * @param delayMinutes minutes after the start of the target, with {@link Type#AFTER} only; else 0
   * @param status what a controller reported; null in a request
   */
  public record Term(Type type, @Nullable JobId target, int delayMinutes, @Nullable Status status) {
    public Term {
      boolean wellFormed =
          (type == Type.SINGLETON) == (target == null)
              && delayMinutes >= 0
              && (delayMinutes == 0 || type == Type.AFTER)
              && (target == null
                  || (target.step() == null
                      && target.tasks() == null
                      && target.het() == JobId.NO_TASK));
      if (!wellFormed) {
        throw new NotationException(NOTATION, type + ":" + target, 0, "not a dependency", HELP);
      }
    }

    /** The same with what a controller found. */
    public Term with(Status found) {
      return new Term(type, target, delayMinutes, found);
    }

    /** As it was asked for: a whole array by its number alone, and without what was found. */
    public Term asked() {
      JobId whole =
          target != null && target.task() == JobId.ALL_TASKS ? JobId.of(target.job()) : target;
      return new Term(type, whole, delayMinutes, null);
    }

    @Override
    public String toString() {
      return type
          + (target == null ? "" : ":" + target)
          + (delayMinutes == 0 ? "" : "+" + delayMinutes)
          + (status == null ? "" : "(" + status + ")");
    }
  }

  /**
   * Parses a dependency. The empty text and {@code 0} are {@link #NONE}; a job id without a type is
   * afterany.
   */
  public static Dependency parse(String text) {
    if (text.isEmpty() || text.equals("0")) {
      return NONE;
    }
    var scan = new Scan(NOTATION, text);
    int space = indexOfSpace(text);
    if (space >= 0) {
      throw scan.error(space, "a space", "write the whole list as one word without spaces");
    }
    var terms = new ArrayList<Term>();
    char joint = 0;
    while (true) {
      term(scan, terms);
      if (scan.end()) {
        return new Dependency(joint == '?', terms);
      }
      char c = scan.peek();
      if (c != ',' && c != '?') {
        throw scan.error(scan.at, scan.unexpected(), HELP);
      }
      if (joint != 0 && joint != c) {
        throw scan.error(
            scan.at, "both \",\" and \"?\"", "join all terms with \",\" (all) or with \"?\" (any)");
      }
      joint = c;
      scan.at++;
    }
  }

  /** As it was asked for: without what is known of its terms by now. */
  public Dependency asked() {
    return new Dependency(any, terms.stream().map(Term::asked).toList());
  }

  /** As scontrol(1) shows it: without terms that are fulfilled. */
  public Dependency shown() {
    return new Dependency(
        any, terms.stream().filter(term -> term.status() != Status.FULFILLED).toList());
  }

  public boolean isEmpty() {
    return terms.isEmpty();
  }

  @Override
  public String toString() {
    return String.join(any ? "?" : ",", terms.stream().map(Term::toString).toList());
  }

  private static void term(Scan scan, List<Term> terms) {
    int from = scan.at;
    if (Scan.isDigit(scan.peek())) {
      terms.add(target(scan, Type.AFTERANY));
      return;
    }
    String name = scan.until(":,?(");
    Type type = type(scan, from, name);
    if (type == Type.SINGLETON) {
      if (scan.peek() == ':') {
        throw scan.error(scan.at, "singleton takes no job id", "write singleton");
      }
      terms.add(new Term(type, null, 0, status(scan)));
      return;
    }
    if (scan.peek() != ':') {
      throw scan.error(scan.at, type + " without a job id", "write " + type + ":123");
    }
    while (scan.accept(':')) {
      terms.add(target(scan, type));
    }
  }

  private static Term target(Scan scan, Type type) {
    int at = scan.at;
    // Of a number Slurm keeps 32 bits.
    long job = scan.number("a job id", Long.MAX_VALUE) & JobId.MAX_JOB;
    if (job == 0) {
      throw scan.error(at, "job id 0", "use the id of a job");
    }
    int task = JobId.NO_TASK;
    if (scan.accept('_')) {
      boolean all = scan.accept('*');
      task = all ? JobId.ALL_TASKS : (int) scan.number("a task number", ArraySpec.MAX_TASK);
    }
    return new Term(type, JobId.of(job, task), delay(scan, type), status(scan));
  }

  private static int delay(Scan scan, Type type) {
    int at = scan.at;
    if (!scan.accept('+')) {
      return 0;
    }
    int minutes = (int) scan.number("minutes", IntRanges.MAX_VALUE);
    if (type != Type.AFTER) {
      throw scan.error(at, type + " with a delay", "only after takes +minutes");
    }
    if (minutes == 0) {
      throw scan.error(at, "a delay of 0 minutes", "leave +0 out");
    }
    return minutes;
  }

  private static @Nullable Status status(Scan scan) {
    int at = scan.at;
    if (!scan.accept('(')) {
      return null;
    }
    String name = scan.until(")");
    if (scan.accept(')')) {
      for (Status status : Status.values()) {
        if (status.toString().equals(name)) {
          return status;
        }
      }
    }
    throw scan.error(at, "unknown status", "leave it out");
  }

  private static Type type(Scan scan, int from, String name) {
    for (Type type : Type.values()) {
      if (type.toString().equalsIgnoreCase(name)) {
        return type;
      }
    }
    throw scan.error(
        from,
        name.isEmpty()
            ? "no dependency type"
            : "unknown dependency type \"" + NotationException.shown(name, 1) + "\"",
        "use after, afterany, afterburstbuffer, aftercorr, afternotok, afterok, expand or"
            + " singleton");
  }

  private static int indexOfSpace(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isWhitespace(text.charAt(i))) {
        return i;
      }
    }
    return -1;
  }
}
