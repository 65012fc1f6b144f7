package dev.yardmaster.model.text;

import java.util.PrimitiveIterator;

/**
 * The tasks of a job array (sbatch(1), {@code --array}): {@code 1-10:2%3,17}. The limit after "%"
 * is for the whole array. The remaining tasks of a pending array, which {@code squeue} shows in
 * brackets after the job id, are written the same way.
 *
 * @param tasks the task ids
 * @param throttle how many tasks may run at once; 0 for no limit
 */
public record ArraySpec(IntRanges tasks, int throttle) {
  /** The largest task id Slurm can be configured for (slurm.conf(5), MaxArraySize). */
  public static final int MAX_TASK = 4_000_000;

  private static final String NOTATION = "array";

  public ArraySpec {
    if (tasks.isEmpty()) {
      throw new NotationException(NOTATION, "", 0, "no task", "write tasks as 0-9 or 1,3,7");
    }
    if (throttle < 0) {
      throw new NotationException(
          NOTATION, "%" + throttle, 0, "negative limit", "use 0 for no limit");
    }
  }

  /**
   * Parses an array expression, with or without the brackets of {@code squeue}. A list that a
   * command cut short with three dots stands for the tasks that can still be read.
   */
  public static ArraySpec parse(String text) {
    return parse(NOTATION, text, 0, text.length());
  }

  static ArraySpec parse(String notation, String text, int from, int to) {
    if (to - from >= 2 && text.charAt(from) == '[' && text.charAt(to - 1) == ']') {
      return parse(notation, text, from + 1, to - 1);
    }
    int percent = indexOf(text, "%", from, to);
    int throttle = 0;
    IntRanges after = IntRanges.EMPTY;
    if (percent < to) {
      var scan = new Scan(notation, text, percent + 1, to);
      throttle = (int) scan.number("the limit of tasks that run at once", MAX_TASK);
      if (!scan.end()) {
        after = afterLimit(scan, to);
      }
    }
    int end = indexOf(text, "...", from, percent);
    if (end < percent) {
      // The element before the dots may itself be cut; without a comma nothing is known for
      // certain.
      end = Math.max(from, text.lastIndexOf(',', end));
    }
    if (end == from) {
      throw new NotationException(
          notation, text, from + 1, "no task", "write tasks as 0-9 or 1,3,7");
    }
    IntRanges before = IntRanges.parse(new Scan(notation, text, from, end), MAX_TASK);
    return new ArraySpec(before.plus(after), throttle);
  }

  private static IntRanges afterLimit(Scan scan, int to) {
    int second = indexOf(scan.text, "%", scan.at, to);
    if (second < to) {
      throw scan.error(second, "a second limit", "give one %limit for the whole array");
    }
    if (!scan.accept(',')) {
      throw scan.error(scan.at, "unexpected text after the limit" + scan.found(), "write 0-9%2");
    }
    if (scan.end()) {
      throw scan.error(scan.at - 1, "nothing after \",\"", "drop the last comma");
    }
    return IntRanges.parse(scan, MAX_TASK);
  }

  private static int indexOf(String text, String word, int from, int to) {
    int at = text.indexOf(word, from);
    return at < 0 || at > to ? to : at;
  }

  /** The number of tasks. */
  public int size() {
    return tasks.size();
  }

  /** The task ids, ascending. */
  public PrimitiveIterator.OfInt iterator() {
    return tasks.iterator();
  }

  /** The form that {@code squeue} puts after the job id: {@code [1-3,5%2]}. */
  public String bracketed() {
    return "[" + this + "]";
  }

  /**
   * The form of {@code squeue}, cut short as Slurm cuts it: a longer list ends in three dots.
   *
   * @param limit the length of the list, {@code SLURM_BITSTR_LEN}, by default 64; 0 for the whole
   *     list
   */
  public String bracketed(int limit) {
    String list = list();
    boolean cut = limit > 4 && list.length() > limit - 3 && step() == 0;
    return "[" + (cut ? list.substring(0, limit - 4) + "..." : list) + suffix() + "]";
  }

  /** Slurm's form: ranges, or {@code first-last:step} where more than five tasks have one step. */
  @Override
  public String toString() {
    return list() + suffix();
  }

  private String list() {
    int step = step();
    return step == 0 ? tasks.toString() : tasks.first() + "-" + tasks.last() + ":" + step;
  }

  private String suffix() {
    return throttle == 0 ? "" : "%" + throttle;
  }

  /** The common distance of all tasks where Slurm would print it; else 0. */
  private int step() {
    int span = tasks.last() - tasks.first();
    if (span <= 10 || tasks.size() <= 5 || tasks.contains(tasks.first() + 1)) {
      return 0;
    }
    int step = span / (tasks.size() - 1);
    boolean even = tasks.stream().allMatch(task -> (task - tasks.first()) % step == 0);
    return even && step * (tasks.size() - 1) == span ? step : 0;
  }
}
