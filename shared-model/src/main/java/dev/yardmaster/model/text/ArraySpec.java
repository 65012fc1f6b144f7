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

  /** Parses an array expression, with or without the brackets of {@code squeue}. */
  public static ArraySpec parse(String text) {
    return parse(NOTATION, text, 0, text.length());
  }

  static ArraySpec parse(String notation, String whole, int from, int to) {
    if (to - from >= 2 && whole.charAt(from) == '[' && whole.charAt(to - 1) == ']') {
      return parse(notation, whole, from + 1, to - 1);
    }
    if (from == to) {
      throw new NotationException(
          notation, whole, from + 1, "no task", "write tasks as 0-9 or 1,3,7");
    }
    int percent = whole.indexOf('%', from);
    if (percent < 0 || percent >= to) {
      return new ArraySpec(
          IntRanges.parse(notation, whole, whole.substring(from, to), from, MAX_TASK), 0);
    }
    var scan = new Scan(notation, whole.substring(0, to));
    scan.at = percent + 1;
    int throttle = (int) scan.number("the limit of tasks that run at once", MAX_TASK);
    int rest = scan.at;
    if (whole.indexOf('%', rest) >= 0 && whole.indexOf('%', rest) < to) {
      throw scan.error(
          whole.indexOf('%', rest), "a second limit", "give one %limit for the whole array");
    }
    if (percent == from) {
      throw scan.error(percent, "no task before the limit", "write tasks as 0-9%2");
    }
    if (rest < to && whole.charAt(rest) != ',') {
      throw scan.error(rest, "unexpected text after the limit", "write 0-9%2");
    }
    IntRanges before =
        IntRanges.parse(notation, whole, whole.substring(from, percent), from, MAX_TASK);
    IntRanges after =
        rest == to
            ? IntRanges.EMPTY
            : IntRanges.parse(notation, whole, whole.substring(rest + 1, to), rest + 1, MAX_TASK);
    if (rest < to && rest + 1 == to) {
      throw scan.error(rest, "nothing after \",\"", "drop the last comma");
    }
    return new ArraySpec(before.plus(after), throttle);
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

  @Override
  public String toString() {
    return throttle == 0 ? tasks.toString() : tasks + "%" + throttle;
  }
}
