package dev.yardmaster.node.gpu;

import dev.yardmaster.model.IndexSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What {@code nvidia-smi topo -m} or {@code rocm-smi --showtopo} prints of the links between GPUs.
 * A text that is cut off or contradicts itself is refused: links that are guessed place jobs badly
 * for as long as nobody notices.
 *
 * @param links for each GPU the number of its links to each, -1 to itself
 * @param cpus for each GPU the CPUs near it as the kernel numbers them, null where not said
 */
record LinkMatrix(List<List<Integer>> links, List<@Nullable IndexSet> cpus) {
  private static final Pattern COLUMN =
      Pattern.compile(
          "(?<gpu>GPU\\d{1,3})(?=\\s|$)|(?<rest>(?:CPU|NUMA) Affinity|GPU NUMA ID)"
              + "|(?<other>[A-Za-z][\\w.-]*)");
  private static final Pattern ROW = Pattern.compile("^\\s*GPU(\\d{1,3})(?=\\s|$)(.*)$");
  private static final Pattern FIRST_ROW = Pattern.compile("^\\s*GPU0\\s+X(\\s|$)");
  private static final Pattern LINKS = Pattern.compile("NV(\\d{1,3})");
  private static final Pattern PATH = Pattern.compile("SYS|NODE|PHB|PXB|PIX|SOC");
  private static final Pattern NUMBERS = Pattern.compile("\\d+(-\\d+)?(,\\d+(-\\d+)?)*");
  private static final int SELF = -1;

  LinkMatrix {
    links = links.stream().map(List::copyOf).toList();
    // Holds nulls.
    cpus = new ArrayList<>(cpus);
  }

  /** Where a text cannot be understood, and why. */
  static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;

    Unreadable(int line, String why) {
      super("line " + line + ": " + why);
    }
  }

  private record Row(int line, List<Integer> links, @Nullable IndexSet cpus) {}

  /** Reads either of the two. */
  static LinkMatrix read(String text) throws Unreadable {
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).contains("Link Type between")) {
        return ofTypes(lines, i + 1);
      }
    }
    return ofTopology(lines);
  }

  private static LinkMatrix ofTopology(List<String> lines) throws Unreadable {
    int gpus = -1;
    int devices = 0;
    int rest = 0;
    Map<Integer, Row> rows = new TreeMap<>();
    int last = lines.size();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith("Legend")) {
        last = i;
        break;
      }
      Matcher row = ROW.matcher(line);
      boolean isRow = row.matches();
      if (gpus < 0 && line.strip().startsWith("GPU") && !isHeader(line)) {
        throw new Unreadable(i + 1, "a row comes before the line that names the columns");
      }
      if (gpus < 0 && isHeader(line)) {
        int[] counts = columns(i + 1, line);
        gpus = counts[0];
        devices = counts[0] + counts[1];
        rest = counts[2];
      } else if (isRow && gpus >= 0) {
        int gpu = Integer.parseInt(row.group(1));
        Row read = row(i + 1, row.group(2), gpu, gpus, devices, rest);
        if (gpu >= gpus || rows.put(gpu, read) != null) {
          throw new Unreadable(i + 1, "a second row of GPU" + gpu + ", or one without a column");
        }
      }
    }
    if (gpus < 0) {
      throw new Unreadable(1, "no line names GPU0 and the others");
    }
    return matrix(rows, gpus, last);
  }

  /** The line that names the columns, which has lost its tabulator where somebody pasted it. */
  private static boolean isHeader(String line) {
    return line.strip().startsWith("GPU0") && !FIRST_ROW.matcher(line).find();
  }

  private static int[] columns(int number, String line) throws Unreadable {
    int gpus = 0;
    int others = 0;
    int rest = 0;
    Matcher column = COLUMN.matcher(line);
    while (column.find()) {
      if (column.group("gpu") != null) {
        if (!column.group("gpu").equals("GPU" + gpus)) {
          throw new Unreadable(number, column.group("gpu") + " stands where GPU" + gpus + " would");
        }
        gpus++;
      } else if (column.group("rest") != null) {
        rest++;
      } else {
        others++;
      }
    }
    return new int[] {gpus, others, rest};
  }

  private static Row row(int number, String text, int gpu, int gpus, int devices, int rest)
      throws Unreadable {
    boolean tabs = text.startsWith("\t");
    List<String> cells =
        tabs
            ? Arrays.stream(text.substring(1).split("\t", -1)).map(String::strip).toList()
            : Arrays.asList(text.strip().split("\\s+"));
    if (cells.size() < devices) {
      throw new Unreadable(
          number, "GPU" + gpu + " has " + cells.size() + " of " + devices + " columns");
    }
    List<Integer> links = new ArrayList<>();
    for (int i = 0; i < devices; i++) {
      int count = links(number, cells.get(i), i == gpu);
      if (i < gpus) {
        links.add(count);
      }
    }
    // Between blanks an empty cell leaves no trace: what comes after it may be anything.
    boolean complete = tabs || cells.size() >= devices + rest;
    String near = rest > 0 && complete && cells.size() > devices ? cells.get(devices) : "";
    return new Row(number, links, NUMBERS.matcher(near).matches() ? IndexSet.parse(near) : null);
  }

  private static int links(int number, String cell, boolean self) throws Unreadable {
    if (cell.equals("X") != self) {
      throw new Unreadable(number, "\"" + cell + "\" is not where the device itself would be");
    }
    if (self) {
      return SELF;
    }
    Matcher links = LINKS.matcher(cell);
    if (links.matches()) {
      return Integer.parseInt(links.group(1));
    }
    if (!PATH.matcher(cell).matches()) {
      throw new Unreadable(number, "\"" + cell + "\" is no path between devices");
    }
    return 0;
  }

  private static LinkMatrix matrix(Map<Integer, Row> rows, int gpus, int last) throws Unreadable {
    List<List<Integer>> links = new ArrayList<>();
    List<@Nullable IndexSet> cpus = new ArrayList<>();
    for (int i = 0; i < gpus; i++) {
      Row row = rows.get(i);
      if (row == null) {
        throw new Unreadable(last, "the text ends without a row of GPU" + i);
      }
      for (int j = 0; j < i; j++) {
        int back = links.get(j).get(i);
        if (back != row.links().get(j)) {
          throw new Unreadable(
              row.line(), "GPU" + i + " and GPU" + j + " say different things of their links");
        }
      }
      links.add(row.links());
      cpus.add(row.cpus());
    }
    return new LinkMatrix(links, cpus);
  }

  /** rocm-smi: the block of link types, in which XGMI is a link. */
  private static LinkMatrix ofTypes(List<String> lines, int from) throws Unreadable {
    Map<Integer, Row> rows = new TreeMap<>();
    int gpus = -1;
    int at = from;
    while (at < lines.size() && !lines.get(at).startsWith("=")) {
      Matcher row = ROW.matcher(lines.get(at));
      if (gpus < 0) {
        gpus = columns(at + 1, lines.get(at))[0];
      } else if (row.matches()) {
        rows.put(Integer.parseInt(row.group(1)), typed(at + 1, row, gpus));
      }
      at++;
    }
    if (gpus <= 0) {
      throw new Unreadable(from, "no line names GPU0 and the others");
    }
    return matrix(rows, gpus, at);
  }

  private static Row typed(int number, Matcher row, int gpus) throws Unreadable {
    int gpu = Integer.parseInt(row.group(1));
    String[] cells = row.group(2).strip().split("\\s+");
    if (cells.length != gpus) {
      throw new Unreadable(
          number, "GPU" + gpu + " has " + cells.length + " of " + gpus + " columns");
    }
    List<Integer> links = new ArrayList<>();
    for (int i = 0; i < gpus; i++) {
      boolean self = i == gpu;
      int count =
          switch (cells[i]) {
            case "0" -> SELF;
            case "XGMI" -> 1;
            case "PCIE" -> 0;
            default -> throw new Unreadable(number, "\"" + cells[i] + "\" is no type of link");
          };
      if (self != (count == SELF)) {
        throw new Unreadable(number, "\"" + cells[i] + "\" is not where the GPU itself would be");
      }
      links.add(count);
    }
    return new Row(number, links, null);
  }
}
