package dev.yardmaster.model.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * Tables with a header line and one character between columns, as {@code sacct -p} and {@code -P}
 * print them. With {@code -p} every line ends with the delimiter, with {@code -P} none does; both
 * read alike.
 */
public final class DelimitedText {
  private static final String CLUSTER = "CLUSTER:";

  private DelimitedText() {}

  /**
   * Reads a table as one map per row, by column name. A table of a header alone has no rows; a row
   * that is shorter than the header lacks the last columns. Lines {@code CLUSTER: name}, which
   * {@code -M} puts before each table, and repeated headers are skipped.
   */
  public static List<SequencedMap<String, String>> rows(String text, char delimiter) {
    var out = new ArrayList<SequencedMap<String, String>>();
    List<String> header = List.of();
    for (String line : text.lines().toList()) {
      if (line.isBlank() || line.startsWith(CLUSTER)) {
        continue;
      }
      List<String> cells = cells(line, delimiter);
      if (header.isEmpty()) {
        header = cells;
        boolean trailing = header.size() > 1 && header.getLast().isEmpty();
        header = trailing ? header.subList(0, header.size() - 1) : header;
      } else if (!cells.subList(0, Math.min(cells.size(), header.size())).equals(header)) {
        out.add(row(header, cells, delimiter));
      }
    }
    return out;
  }

  /**
   * Decodes what a command wrote: UTF-8, with the replacement character for each byte that is none,
   * so that one odd job name never costs a whole table.
   */
  public static String decode(byte[] output) {
    return new String(output, StandardCharsets.UTF_8);
  }

  private static SequencedMap<String, String> row(
      List<String> header, List<String> cells, char delimiter) {
    var row = new LinkedHashMap<String, String>();
    for (int i = 0; i < header.size() && i < cells.size(); i++) {
      row.put(header.get(i), cells.get(i));
    }
    boolean more =
        cells.size() > header.size() + 1
            || (cells.size() == header.size() + 1 && !cells.getLast().isEmpty());
    if (more && !header.isEmpty()) {
      // A delimiter inside the last column, as a job name may have, stays in it.
      List<String> rest = cells.subList(header.size() - 1, cells.size());
      row.put(header.getLast(), String.join(String.valueOf(delimiter), rest));
    }
    return row;
  }

  private static List<String> cells(String line, char delimiter) {
    var out = new ArrayList<String>();
    int from = 0;
    for (int at = line.indexOf(delimiter); at >= 0; at = line.indexOf(delimiter, from)) {
      out.add(line.substring(from, at));
      from = at + 1;
    }
    out.add(line.substring(from));
    return out;
  }
}
