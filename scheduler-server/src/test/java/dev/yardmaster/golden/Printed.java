package dev.yardmaster.golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What commands printed in a case: {@code printed.txt} has the number of each in brackets, and its
 * lines behind a bar; a column that is a tilde was not the same when the case was recorded again,
 * and one behind the brackets marks lines that come in another order each time, as those of sinfo,
 * which has a thread for each partition. Times, folders, and nodes that are alike, are not
 * compared; neither is that Slurm's database keeps quotes and what is not Latin-1 as other
 * characters, where names are kept whole here.
 */
final class Printed {
  private static final int LATIN_1 = 0xff;
  private static final String ANY_ORDER = "~\n";
  private static final String FILE = "printed.txt";
  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d");
  private static final Pattern SPAN = Pattern.compile("\\b\\d\\d:\\d\\d:\\d\\d\\b");
  private static final Pattern SHORT_SPAN = Pattern.compile(" *\\b\\d?\\d:\\d\\d\\b *");
  private static final Pattern NODE = Pattern.compile("\\bn(\\[1-2]|[12])(?!\\d)");
  private static final Pattern LUID = Pattern.compile("\\bs[0-9A-HJKMNP-TV-Z]{13}\\b");
  private static final Pattern FOLDER =
      Pattern.compile(" *(?:@LAB@/run/w|@DIR@|/\\S*/?junit-\\S*)", Pattern.MULTILINE);
  private static final Pattern BLANKS = Pattern.compile(" +");
  private static final Pattern SPACES = Pattern.compile(" +$", Pattern.MULTILINE);

  private Printed() {}

  static Map<Integer, String> read(Path directory) throws IOException {
    Map<Integer, String> printed = new TreeMap<>();
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      return printed;
    }
    int number = 0;
    StringBuilder text = new StringBuilder();
    for (String line : Files.readString(file).split("\n")) {
      if (line.startsWith("[")) {
        printed.put(number, text.toString());
        number = Integer.parseInt(line.substring(1, line.indexOf(']')));
        text.setLength(0);
        text.append(line.endsWith("]~") ? ANY_ORDER : "");
      } else if (line.startsWith("|")) {
        text.append(line, 1, line.length()).append('\n');
      }
    }
    printed.put(number, text.toString());
    printed.remove(0);
    return printed;
  }

  /** Whether the lines of what is expected come in any order. */
  static boolean anyOrder(String expected) {
    return expected.startsWith(ANY_ORDER);
  }

  /** The lines of a text in an order that is always the same; the first is their head. */
  static String sorted(String text) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    lines.subList(Math.min(1, lines.size()), lines.size()).sort(null);
    return String.join("\n", lines);
  }

  /** A text without what differs from one run to the next. */
  static String comparable(String text) {
    String plain =
        DATE.matcher(anyOrder(text) ? text.substring(ANY_ORDER.length()) : text).replaceAll("DATE");
    plain = SPAN.matcher(plain).replaceAll("SPAN");
    plain = SHORT_SPAN.matcher(plain).replaceAll(" span ");
    plain = NODE.matcher(plain).replaceAll("nX");
    plain = LUID.matcher(plain).replaceAll("LUID");
    plain = FOLDER.matcher(plain).replaceAll(" DIR");
    plain = plain.lines().map(Printed::inDatabase).collect(Collectors.joining("\n"));
    return SPACES.matcher(plain).replaceAll("").stripTrailing();
  }

  /** A text with a tilde in each column in which the recorded one says that anything may stand. */
  static String where(String recorded, String text) {
    List<String> lines = recorded.lines().toList();
    List<String> here = text.lines().toList();
    if (!recorded.contains("~") || lines.size() != here.size()) {
      return text;
    }
    List<String> told = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String[] columns = lines.get(i).split("\\|", -1);
      String[] found = here.get(i).split("\\|", -1);
      for (int c = 0; c < columns.length && columns.length == found.length; c++) {
        found[c] = columns[c].equals("~") ? "~" : found[c];
      }
      told.add(String.join("|", found));
    }
    return String.join("\n", told);
  }

  /** What Slurm's database makes of a line; the width of what it changes is lost. */
  private static String inDatabase(String line) {
    StringBuilder kept = new StringBuilder();
    line.codePoints().forEach(c -> kept.append(c == '"' ? '`' : c > LATIN_1 ? '?' : (char) c));
    String shown = kept.toString();
    boolean changed = shown.indexOf('`') >= 0 || shown.indexOf('?') >= 0;
    return changed ? BLANKS.matcher(shown).replaceAll(" ") : shown;
  }
}
