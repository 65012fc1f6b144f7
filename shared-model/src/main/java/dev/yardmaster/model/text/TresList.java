package dev.yardmaster.model.text;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Trackable resources with their amounts: {@code
 * cpu=1,mem=1000M,node=1,billing=1,gres/gpu=2,gres/gpu:h100=2,license/x=1}. Memory is in MiB, all
 * else a plain number; -1 takes a limit away (sacctmgr(1)). Printed in Slurm's order: cpu, mem,
 * energy, node, billing, fs/disk, vmem, pages, then the rest by name.
 *
 * @param amounts name to amount, in that order, unmodifiable
 */
public record TresList(SortedMap<String, Long> amounts) {
  /** The amount that takes a limit away. */
  public static final long UNLIMITED = -1;

  public static final TresList EMPTY = new TresList(Map.of());

  private static final String NOTATION = "tres";
  private static final List<String> FIXED =
      List.of("cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages");
  private static final Comparator<String> ORDER =
      Comparator.<String>comparingInt(TresList::rank).thenComparing(Comparator.naturalOrder());

  public TresList(Map<String, Long> amounts) {
    this(sorted(amounts));
  }

  public TresList {
    amounts = Collections.unmodifiableSortedMap(sorted(amounts));
  }

  /**
   * Parses a list; the empty text and {@code (null)} are the empty list. A name may occur once. For
   * generic resources {@code gres/shard:1} is read as {@code gres/shard=1}.
   */
  public static TresList parse(String text) {
    if (text.isEmpty() || text.equalsIgnoreCase("(null)")) {
      return EMPTY;
    }
    var scan = new Scan(NOTATION, text);
    var found = new TreeMap<String, Long>(ORDER);
    while (true) {
      int from = scan.at;
      String name = name(scan);
      if (found.put(name, amount(scan, name)) != null) {
        throw scan.error(from, name + " twice", "give it once");
      }
      if (scan.end()) {
        return new TresList(found);
      }
      if (!scan.accept(',')) {
        throw scan.error(scan.at, scan.unexpected(), "write name=amount,name=amount");
      }
    }
  }

  /** Takes a name and what parts it from its amount: "=", or ":" as in {@code gres/shard:1}. */
  private static String name(Scan scan) {
    int from = scan.at;
    String name = scan.until("=,");
    int colon = name.lastIndexOf(':');
    if (scan.peek() != '='
        && name.startsWith("gres/")
        && Units.isCount(name.substring(colon + 1))) {
      name = name.substring(0, Math.max(0, colon));
      scan.at = from + name.length() + 1;
    } else if (isName(name) && !scan.accept('=')) {
      throw scan.error(scan.at, name + " without an amount", "write " + name + "=1");
    }
    if (!isName(name)) {
      String wrong = name.isEmpty() ? "no name" : "not a name";
      throw scan.error(from, wrong, "write name=amount, as cpu=4");
    }
    return name;
  }

  /** The amount, or 0 when there is none. */
  public long get(String name) {
    return amounts.getOrDefault(name, 0L);
  }

  public boolean isEmpty() {
    return amounts.isEmpty();
  }

  /**
   * The number of a generic resource, typed and untyped entries not counted twice: {@code gres/gpu}
   * where it is given, else the sum of {@code gres/gpu:TYPE}.
   */
  public long gres(String name) {
    Long total = amounts.get("gres/" + name);
    if (total != null) {
      return total;
    }
    String prefix = "gres/" + name + ":";
    return amounts.entrySet().stream()
        .filter(e -> e.getKey().startsWith(prefix))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  @Override
  public String toString() {
    return amounts.entrySet().stream()
        .map(e -> e.getKey() + "=" + print(e.getKey(), e.getValue()))
        .collect(Collectors.joining(","));
  }

  private static String print(String name, long amount) {
    return isMemory(name) && amount >= 0 ? Memory.format(amount) : Long.toString(amount);
  }

  private static boolean isMemory(String name) {
    return name.equals("mem");
  }

  private static long amount(Scan scan, String name) {
    int from = scan.at;
    if (scan.acceptWord("-1")) {
      return UNLIMITED;
    }
    if (!isMemory(name)) {
      return Units.count(scan, "an amount of " + name, Units.MAX);
    }
    String amount = scan.until(",");
    try {
      return Memory.parseReported(amount);
    } catch (NotationException e) {
      throw scan.error(from + Math.max(0, e.column() - 1), e.wrong(), e.right());
    }
  }

  private static boolean isName(String name) {
    if (name.isEmpty()) {
      return false;
    }
    return name.chars().allMatch(c -> Character.isLetterOrDigit(c) || "-_./:+@".indexOf(c) >= 0);
  }

  private static int rank(String name) {
    int fixed = FIXED.indexOf(name);
    return fixed < 0 ? FIXED.size() : fixed;
  }

  private static SortedMap<String, Long> sorted(Map<String, Long> amounts) {
    var out = new TreeMap<String, Long>(ORDER);
    amounts.forEach(
        (name, amount) -> {
          if (!isName(name) || amount < UNLIMITED) {
            throw new NotationException(
                NOTATION, name + "=" + amount, 0, "not a name with an amount", "write cpu=4");
          }
          out.put(name, amount);
        });
    return out;
  }
}
