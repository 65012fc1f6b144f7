package dev.yardmaster.cli;

import java.util.ArrayList;
import java.util.List;

/** The file of {@code --nodefile}: names of nodes, in lines and with commas. */
final class NodeFile {
  /** More of one node are not taken for what is meant. */
  private static final int MOST_TIMES = 10_000;

  private NodeFile() {}

  /** The names in their order; {@code NAME*3} is three of them. Empty when a line has none. */
  static List<String> names(String text) {
    List<String> names = new ArrayList<>();
    for (String line : text.lines().toList()) {
      // What follows a # is a comment, unless a backslash stands before it.
      String said = line.replaceFirst("(?<!\\\\)#.*", "").replace("\\#", "#");
      if (said.isEmpty()) {
        continue;
      }
      if (!Character.isLetterOrDigit(said.charAt(0))) {
        return List.of();
      }
      for (String item : said.split(",")) {
        String[] parts = item.strip().split("\\*", 2);
        boolean repeated = parts.length == 2 && parts[1].matches("0*[1-9][0-9]{0,4}");
        int times = repeated ? Math.min(MOST_TIMES, Integer.parseInt(parts[1])) : 1;
        for (int i = 0; i < times && !parts[0].isEmpty(); i++) {
          names.add(parts[0]);
        }
      }
    }
    return names;
  }
}
