package dev.yardmaster.cli;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to --help: how a command is called, and all options that it knows. */
final class Usage {
  private static final int COLUMNS = 3;
  private static final int GAP = 2;

  private Usage() {}

  /**
   * Answers what a command is asked about itself: its version, or how it is called.
   *
   * @param usage what it says to --usage; null for the same as to --help
   * @return whether it was asked, and has nothing more to do
   */
  static boolean answers(
      GetOpt.Parsed parsed,
      String head,
      String manual,
      List<String> table,
      @Nullable String usage,
      Io io) {
    if (parsed.has("version")) {
      io.out().println(SlurmVersion.line());
    } else if (parsed.has("help") || usage == null && parsed.has("usage")) {
      io.out().println(of(head, manual, table));
    } else if (usage != null && parsed.has("usage")) {
      io.out().println(usage);
    } else {
      return false;
    }
    return true;
  }

  /**
   * The text, without a last line break.
   *
   * @param head how the command is called, and what it does
   * @param manual the manual page that says what each option means
   * @param table the options as {@link GetOpt} takes them
   */
  static String of(String head, String manual, List<String> table) {
    List<String> ordered =
        table.stream().sorted(Comparator.comparing(Usage::name)).map(Usage::option).toList();
    int width = ordered.stream().mapToInt(String::length).max().orElse(0) + GAP;
    int rows = (ordered.size() + COLUMNS - 1) / COLUMNS;
    StringBuilder out = new StringBuilder(head.strip());
    out.append("\nOptions; ").append(manual).append(" tells what they mean:");
    for (int row = 0; row < rows; row++) {
      StringBuilder line = new StringBuilder("  ");
      for (int at = row; at < ordered.size(); at += rows) {
        line.append(ordered.get(at)).repeat(' ', width - ordered.get(at).length());
      }
      out.append('\n').append(line.toString().stripTrailing());
    }
    return out.toString();
  }

  private static String name(String entry) {
    return entry
        .substring(Math.max(hasLetter(entry) ? 2 : 0, entry.lastIndexOf('|') + 1))
        .replace(":", "");
  }

  private static boolean hasLetter(String entry) {
    return entry.indexOf(' ') == 1;
  }

  private static String option(String entry) {
    String value = entry.endsWith("::") ? "[=X]" : entry.endsWith(":") ? "=X" : "";
    return (hasLetter(entry) ? "-" + entry.charAt(0) + ", " : "    ") + "--" + name(entry) + value;
  }
}
