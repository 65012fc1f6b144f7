package dev.yardmaster.node;

import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Job;

/** File names of a job's output with their % codes (sbatch(1), "filename pattern"). */
final class OutputPattern {
  private static final String NO_TASK = "4294967294";

  private OutputPattern() {}

  /** The default: {@code slurm-%j.out}, for array tasks {@code slurm-%A_%a.out}. */
  static String orDefault(String pattern, Job job) {
    if (!pattern.isEmpty()) {
      return pattern;
    }
    return job.array() == null ? "slurm-%j.out" : "slurm-%A_%a.out";
  }

  /**
   * The name with its codes replaced; relative to the job's working directory. A backslash switches
   * the codes off. A code with a width pads numbers with zeros. What comes from a job's or user's
   * name cannot lead out of the directory.
   */
  static String expand(String pattern, Job job, String node) {
    if (pattern.indexOf('\\') >= 0) {
      return pattern.replace("\\", "");
    }
    StringBuilder out = new StringBuilder();
    int i = 0;
    while (i < pattern.length()) {
      char c = pattern.charAt(i++);
      if (c != '%') {
        out.append(c);
        continue;
      }
      int digits = i;
      while (i < pattern.length() && Character.isDigit(pattern.charAt(i)) && i - digits < 2) {
        i++;
      }
      if (i == pattern.length()) {
        return out.append(pattern, digits - 1, i).toString();
      }
      int width = i == digits ? 0 : Integer.parseInt(pattern.substring(digits, i));
      String value = value(pattern.charAt(i++), job, node);
      if (value.isEmpty()) {
        out.append(pattern, digits - 1, i);
      } else {
        out.append(padded(value, Math.min(width, 10)));
      }
    }
    return out.toString();
  }

  private static String padded(String value, int width) {
    boolean number = value.chars().allMatch(Character::isDigit);
    return number && value.length() < width ? "0".repeat(width - value.length()) + value : value;
  }

  private static String value(char code, Job job, String node) {
    ArrayInfo array = job.array();
    Integer task = array == null ? null : array.taskId();
    return switch (code) {
      case '%' -> "%";
      case 'A' -> Integer.toString(array == null ? job.id() : array.arrayJobId());
      case 'a' -> task == null ? NO_TASK : task.toString();
      case 'b' -> task == null ? NO_TASK : Integer.toString(task % 10);
      case 'J', 'j' -> Integer.toString(job.id());
      case 'N' -> node.split("\\.", 2)[0];
      case 'n', 't' -> "0";
      case 's' -> "batch";
      case 'u' -> oneName(job.owner().user());
      case 'x' -> oneName(job.name());
      default -> "";
    };
  }

  private static String oneName(String text) {
    String name = text.replace('/', '_');
    return name.equals("..") || name.equals(".") ? "_" : name.isEmpty() ? "_" : name;
  }
}
