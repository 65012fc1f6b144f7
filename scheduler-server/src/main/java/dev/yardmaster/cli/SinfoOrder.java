package dev.yardmaster.cli;

import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeUse;
import dev.yardmaster.model.text.HostList;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

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

  private SinfoOrder() {}

  /**
   * Reads fields of {@code -o} with an optional sign, the most important first; "#" before P means
   * the order of the configuration.
   *
   * @throws CommandFailure naming a field by which nothing can be sorted
   */
  static Comparator<SinfoRow> parse(String text, SinfoColumns columns) throws CommandFailure {
    Comparator<SinfoRow> order = (a, b) -> 0;
    boolean descending = false;
    boolean configured = false;
    for (char c : text.toCharArray()) {
      switch (c) {
        case ',', '+' -> {}
        case '-' -> descending = true;
        case '#' -> configured = true;
        default -> {
          Comparator<SinfoRow> by = by(c, configured, columns);
          if (by == null) {
            throw new CommandFailure(
                1,
                "sinfo: error: Invalid sort specification: " + c,
                Hint.of("sort by letters of -o such as P, t, N or D"));
          }
          order = order.thenComparing(descending ? by.reversed() : by);
          descending = false;
          configured = false;
        }
      }
    }
    return order;
  }

  private static @Nullable Comparator<SinfoRow> by(
      char letter, boolean configured, SinfoColumns columns) {
    return switch (letter) {
      case 'P', 'R' ->
          configured
              ? Comparator.comparingInt(SinfoRow::order)
              : text(row -> row.partition().name());
      case 't', 'T' -> number(row -> row.isEmpty() ? -1 : state(row.first()));
      case 'N', 'n' ->
          Comparator.comparing(
              row -> row.isEmpty() ? "" : row.nodes().firstEntry().getKey(), HostList.ORDER);
      case 'D' -> number(row -> row.nodes().size());
      case 'c' -> number(row -> row.isEmpty() ? 0 : row.spec().cpus());
      case 'm' -> number(row -> row.isEmpty() ? 0 : row.spec().realMemoryMib());
      case 'd' -> number(row -> row.isEmpty() ? 0 : row.spec().tmpDiskMib());
      case 'w' -> number(row -> row.isEmpty() ? 0 : row.spec().weight());
      case 'p' -> number(row -> row.partition().priorityTier());
      case 'l' -> number(row -> row.partition().maxTimeMinutes() & Long.MAX_VALUE);
      default -> {
        Layout.Field<SinfoRow> field = columns.letters().get(letter);
        if (field == null) {
          yield null;
        }
        yield text(field.text());
      }
    };
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
    return Comparator.comparing(key);
  }

  private static Comparator<SinfoRow> number(ToLongFunction<SinfoRow> key) {
    return Comparator.comparingLong(key);
  }
}
