package dev.yardmaster.cli;

import java.util.ArrayList;
import java.util.List;

/** Lists of job ids. */
final class JobIds {
  private JobIds() {}

  /** Splits at commas outside of brackets: {@code 5,60_[6-7,9]} are two. */
  static List<String> split(String text) {
    List<String> ids = new ArrayList<>();
    int depth = 0;
    StringBuilder id = new StringBuilder();
    for (char c : (text + ",").toCharArray()) {
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (c == ',' && depth <= 0) {
        if (!id.toString().isBlank()) {
          ids.add(id.toString().strip());
        }
        id.setLength(0);
      } else {
        id.append(c);
      }
    }
    if (!id.isEmpty()) {
      // An unmatched bracket: the text as it is, for the controller to name.
      ids.add(id.substring(0, id.length() - 1));
    }
    return ids;
  }

  /** What Slurm finds wrong with a text that is no job id. */
  static String wrong(String text) {
    if (text.isEmpty()) {
      return "JobID must not be an empty string";
    }
    if (text.startsWith("-")) {
      return "JobID can not be a negative number";
    }
    if (!text.matches("0*[1-9].*")) {
      return "JobID can not be zero";
    }
    return text.matches("[0-9]{10,}.*")
        ? "JobID larger than acceptable range"
        : "JobID includes unexpected non-numeric characters";
  }
}
