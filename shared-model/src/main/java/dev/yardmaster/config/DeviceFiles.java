package dev.yardmaster.config;

import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NotationException;
import java.util.ArrayList;
import java.util.List;

/** Expands device files such as {@code /dev/nvidia[0-3],/dev/nvidia7} (gres.conf(5), File). */
final class DeviceFiles {
  private static final String NOTATION = "device files";
  private static final String HELP = "write for example /dev/nvidia[0-7]";

  /** Slurm keeps no more devices with files on a node. */
  private static final int MOST = 1024;

  private DeviceFiles() {}

  /**
   * The single paths.
   *
   * @throws NotationException when a bracket is wrong, or there are more than 1024
   */
  static List<String> expand(String text) {
    List<String> paths = new ArrayList<>();
    int start = 0;
    int depth = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : ',';
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (depth < 0 || depth > 1) {
        throw new NotationException(NOTATION, text, i + 1, "unmatched \"" + c + "\"", HELP);
      }
      if (c == ',' && (depth == 0 || i == text.length())) {
        if (depth > 0) {
          throw new NotationException(NOTATION, text, 0, "unmatched \"[\"", HELP);
        }
        one(text, text.substring(start, i), paths);
        start = i + 1;
      }
    }
    return paths;
  }

  private static void one(String whole, String item, List<String> paths) {
    if (item.isEmpty()) {
      return;
    }
    List<String> done = List.of("");
    int at = 0;
    while (at < item.length()) {
      int open = item.indexOf('[', at);
      String literal = item.substring(at, open < 0 ? item.length() : open);
      List<String> values = List.of("");
      at = item.length();
      if (open >= 0) {
        int close = item.indexOf(']', open);
        // The numbers of a bracket mean here what they mean in node names.
        values =
            HostList.parse("n" + item.substring(open, close + 1)).expand(MOST).stream()
                .map(n -> n.substring(1))
                .toList();
        at = close + 1;
      }
      List<String> next = new ArrayList<>();
      for (String path : done) {
        for (String value : values) {
          next.add(path + literal + value);
          if (next.size() + paths.size() > MOST) {
            throw new NotationException(NOTATION, whole, 0, "more than " + MOST + " files", HELP);
          }
        }
      }
      done = next;
    }
    paths.addAll(done);
  }
}
