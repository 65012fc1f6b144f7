package dev.yardmaster.cli;

import dev.yardmaster.client.Credential;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeMeasure;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeUse;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The order of sinfo's lines (sinfo(1), {@code --sort}). */
final class SinfoOrder {
  /** Slurm orders states by number: the base state, and above it one bit for each flag. */
  private static final Map<NodeFlag, Integer> BITS =
      Map.ofEntries(
          Map.entry(NodeFlag.RESERVED, 5),
          Map.entry(NodeFlag.UNDRAIN, 6),
          Map.entry(NodeFlag.CLOUD, 7),
          Map.entry(NodeFlag.RESUME, 8),
          Map.entry(NodeFlag.DRAIN, 9),
          Map.entry(NodeFlag.COMPLETING, 10),
          Map.entry(NodeFlag.NOT_RESPONDING, 11),
          Map.entry(NodeFlag.POWERED_DOWN, 12),
          Map.entry(NodeFlag.FAIL, 13),
          Map.entry(NodeFlag.POWERING_UP, 14),
          Map.entry(NodeFlag.MAINTENANCE, 15),
          Map.entry(NodeFlag.REBOOT_REQUESTED, 16),
          Map.entry(NodeFlag.REBOOT_CANCELED, 17),
          Map.entry(NodeFlag.POWERING_DOWN, 18),
          Map.entry(NodeFlag.DYNAMIC_FUTURE, 19),
          Map.entry(NodeFlag.REBOOT_ISSUED, 20),
          Map.entry(NodeFlag.PLANNED, 21),
          Map.entry(NodeFlag.INVALID_REG, 22),
          Map.entry(NodeFlag.POWER_DOWN, 23),
          Map.entry(NodeFlag.POWER_UP, 24),
          Map.entry(NodeFlag.POWER_DRAIN, 25),
          Map.entry(NodeFlag.DYNAMIC_NORM, 26),
          Map.entry(NodeFlag.BLOCKED, 27),
          Map.entry(NodeFlag.EXTERNAL, 28));

  private static final Comparator<SinfoRow> NONE = (a, b) -> 0;

  /** What is more than any number. */
  private static final long INFINITE = 0xFFFF_FFFFL;

  private final Machine machine;

  SinfoOrder(Machine machine) {
    this.machine = machine;
  }

  /**
   * Sorts rows by letters of {@code -o} with an optional sign, the most important first; "#" before
   * P means the order of the configuration. Letters that Slurm cannot sort by change nothing.
   */
  void sort(List<SinfoRow> rows, String keys) {
    // From the least important on, as each sort keeps the order of what is equal to it.
    for (int i = keys.length() - 1; i >= 0; i--) {
      char letter = keys.charAt(i);
      char sign = i > 0 ? keys.charAt(i - 1) : ' ';
      if (letter == ',' || letter == '#' || letter == '+' || letter == '-') {
        continue;
      }
      boolean names = letter == 'N' || letter == 'n' || letter == 'o';
      Comparator<SinfoRow> by = by(letter, sign == '#');
      if (names && sign == '-') {
        rows.sort(
            Comparator.comparing((SinfoRow row) -> row.isEmpty() ? 0 : 1)
                .thenComparing(by.reversed()));
      } else if (names) {
        Sorting.nothingLast(rows, by, SinfoRow::isEmpty);
      } else {
        rows.sort(sign == '-' ? by.reversed() : by);
      }
    }
  }

  private Comparator<SinfoRow> by(char letter, boolean configured) {
    return switch (letter) {
      case 'P', 'R' -> configured ? number(SinfoRow::order) : text(row -> row.partition().name());
      case 'a' -> number(row -> available(row.partition().state()));
      case 'A', 'F' -> number(row -> row.nodeCounts()[0]);
      case 'b', 'f' -> text(row -> row.isEmpty() ? "" : String.join(",", row.spec().features()));
      case 'D' -> number(row -> row.nodes().size());
      case 'E' -> text(row -> row.isEmpty() ? "" : row.node().status().reason());
      case 'g' -> text(row -> String.join(",", row.partition().allowGroups()));
      case 'h' -> number(row -> share(row.partition().overSubscribe()));
      case 'H' -> number(SinfoOrder::reasonTime);
      case 'l' -> number(row -> limit(row.partition().maxTimeMinutes()));
      case 'M' -> text(row -> row.partition().other().getOrDefault("PreemptMode", ""));
      case 'p' -> number(row -> row.partition().priorityTier());
      case 'r' -> number(row -> row.partition().rootOnly() ? 1 : 0);
      case 's' -> number(row -> size(row.partition()));
      case 'S' -> number(row -> row.partition().priorityJobFactor());
      case 't', 'T' -> number(row -> row.isEmpty() ? 0 : state(row.first()));
      case 'u', 'U' -> number(this::reasonUser);
      default -> ofNodes(letter);
    };
  }

  /** By the least of a number that nodes have. */
  private static Comparator<SinfoRow> ofNodes(char letter) {
    return switch (letter) {
      case 'N' -> name(row -> row.nodes().firstEntry().getKey());
      case 'n' -> name(row -> row.spec().hostname());
      case 'o' -> name(row -> row.spec().address());
      case 'O' -> number(row -> row.measured(NodeMeasure::cpuLoadPercent));
      case 'e' -> number(row -> row.measured(NodeMeasure::freeMib));
      case 'c' -> least(NodeSpec::cpus);
      case 'm' -> least(NodeSpec::realMemoryMib);
      case 'd' -> least(NodeSpec::tmpDiskMib);
      case 'w' -> least(NodeSpec::weight);
      case 'X' -> least(NodeSpec::sockets);
      case 'Y' -> least(NodeSpec::coresPerSocket);
      case 'Z' -> least(NodeSpec::threadsPerCore);
      case 'z' ->
          least(NodeSpec::sockets)
              .thenComparing(least(NodeSpec::coresPerSocket))
              .thenComparing(least(NodeSpec::threadsPerCore));
      default -> NONE;
    };
  }

  private static int available(PartitionState state) {
    return switch (state) {
      case INACTIVE -> 0;
      case DOWN -> 1;
      case DRAIN -> 2;
      case UP -> 3;
    };
  }

  /** OverSubscribe as Slurm counts it: the number of jobs, and more where it is forced. */
  private static long share(String words) {
    int colon = words.indexOf(':');
    long jobs = colon < 0 ? 1 : Long.parseLong(words.substring(colon + 1));
    return words.startsWith("FORCE") ? 0x8000 + jobs : jobs;
  }

  private static long limit(long minutes) {
    return minutes == Partition.UNLIMITED ? INFINITE : minutes;
  }

  private static long size(Partition partition) {
    return partition.maxNodes() == Partition.UNLIMITED
        ? INFINITE
        : (long) partition.maxNodes() + partition.minNodes();
  }

  private static long reasonTime(SinfoRow row) {
    Instant time = row.isEmpty() ? null : row.node().status().reasonTime();
    return time == null ? 0 : time.getEpochSecond();
  }

  /** The user id of who gave the reason; that of nobody is more than any. */
  private long reasonUser(SinfoRow row) {
    if (row.isEmpty()) {
      return 0;
    }
    Credential user = machine.find(row.node().status().reasonUser());
    return user == null ? INFINITE : user.uid();
  }

  private static long state(NodeUse use) {
    long bits =
        switch (use.state().base()) {
          case UNKNOWN -> 0;
          case DOWN -> 1;
          case IDLE -> 2;
          case ALLOCATED -> 3;
          case ERROR -> 4;
          case MIXED -> 5;
          case FUTURE -> 6;
        };
    for (NodeFlag flag : use.state().flags()) {
      Integer bit = BITS.get(flag);
      if (bit != null) {
        bits |= 1L << bit;
      }
    }
    return bits;
  }

  private static Comparator<SinfoRow> text(Function<SinfoRow, String> key) {
    return (a, b) -> key.apply(a).compareTo(key.apply(b));
  }

  private static Comparator<SinfoRow> name(Function<SinfoRow, String> key) {
    return (a, b) -> HostList.ORDER.compare(key.apply(a), key.apply(b));
  }

  private static Comparator<SinfoRow> least(ToLongFunction<NodeSpec> key) {
    return number(row -> row.isEmpty() ? 0 : row.minimum(key));
  }

  private static Comparator<SinfoRow> number(ToLongFunction<SinfoRow> key) {
    return (a, b) -> Long.compare(key.applyAsLong(a), key.applyAsLong(b));
  }
}
