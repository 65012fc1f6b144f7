package dev.yardmaster.model.text;

import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a node in the ways commands print it: {@code IDLE+DRAIN} and {@code DOWN*+DRAIN}
 * (scontrol(1)), {@code drng*} and {@code idle~} (sinfo(1)), and the lists of JSON. Reading never
 * fails: a word that is not known is kept in {@code unknown}.
 *
 * @param base the base state; UNKNOWN when the text names none
 * @param flags what else holds, unmodifiable
 * @param unknown words that were not understood, as written
 */
public record NodeStateText(NodeBaseState base, Set<NodeFlag> flags, List<String> unknown) {
  private static final Map<Character, NodeFlag> SUFFIXES =
      Map.of(
          '*', NodeFlag.NOT_RESPONDING,
          '~', NodeFlag.POWERED_DOWN,
          '#', NodeFlag.POWERING_UP,
          '!', NodeFlag.POWER_DOWN,
          '%', NodeFlag.POWERING_DOWN,
          '$', NodeFlag.MAINTENANCE,
          '@', NodeFlag.REBOOT_REQUESTED,
          '^', NodeFlag.REBOOT_ISSUED,
          '-', NodeFlag.PLANNED,
          '+', NodeFlag.COMPLETING);

  public NodeStateText {
    flags =
        Collections.unmodifiableSet(
            flags.isEmpty() ? EnumSet.noneOf(NodeFlag.class) : EnumSet.copyOf(flags));
    unknown = List.copyOf(unknown);
  }

  public static NodeStateText of(NodeBaseState base, NodeFlag... flags) {
    var set = EnumSet.noneOf(NodeFlag.class);
    set.addAll(List.of(flags));
    return new NodeStateText(base, set, List.of());
  }

  /** Reads what scontrol or sinfo printed, in either letter case. */
  public static NodeStateText parse(String text) {
    return parse(List.of(text));
  }

  /** Reads the words of JSON: the state and the flags, as one list or as two. */
  public static NodeStateText fromJson(Collection<String> state, Collection<String> flags) {
    var words = new ArrayList<String>(state);
    words.addAll(flags);
    return parse(words);
  }

  private static NodeStateText parse(Collection<String> texts) {
    var reader = new Reader();
    for (String text : texts) {
      String[] words = text.strip().split("\\+", -1);
      for (int i = 0; i < words.length; i++) {
        // "ALLOCATED+" ends with the suffix that means completing.
        if (words[i].isEmpty() && i > 0 && i == words.length - 1) {
          reader.flags.add(NodeFlag.COMPLETING);
        } else {
          reader.word(words[i]);
        }
      }
    }
    return new NodeStateText(reader.base, reader.flags, reader.unknown);
  }

  public boolean has(NodeFlag flag) {
    return flags.contains(flag);
  }

  /**
   * Whether jobs can be started here now as far as the state says: idle or mixed, with nothing
   * against it.
   */
  public boolean isUsable() {
    return (base == NodeBaseState.IDLE || base == NodeBaseState.MIXED)
        && flags.stream().noneMatch(NodeStateText::blocks)
        && unknown.isEmpty();
  }

  private static boolean blocks(NodeFlag flag) {
    return switch (flag) {
      case DRAIN,
          FAIL,
          NOT_RESPONDING,
          INVALID_REG,
          BLOCKED,
          COMPLETING,
          MAINTENANCE,
          POWERING_DOWN,
          POWER_DOWN,
          POWER_DRAIN,
          REBOOT_REQUESTED,
          REBOOT_ISSUED,
          DYNAMIC_FUTURE,
          EXTERNAL ->
          true;
      case CLOUD,
          DYNAMIC_NORM,
          POWER_UP,
          POWERED_DOWN,
          RESERVED,
          RESUME,
          PLANNED,
          POWERING_UP,
          REBOOT_CANCELED,
          UNDRAIN ->
          false;
    };
  }

  /** The form of {@code scontrol show node}: {@code MIXED+DRAIN}. */
  @Override
  public String toString() {
    var out = new StringBuilder(base.name());
    flags.forEach(flag -> out.append('+').append(flag));
    unknown.forEach(word -> out.append('+').append(word));
    return out.toString();
  }

  /** The STATE column of {@code sinfo}: {@code drng}, {@code idle*}, {@code mix-}. */
  public String sinfo() {
    return SinfoState.compact(this);
  }

  /**
   * The long STATE of {@code sinfo -N -l} and {@code %T}: {@code draining}, {@code idle*}, {@code
   * mixed-}.
   */
  public String sinfoLong() {
    return SinfoState.complete(this);
  }

  /** Gathers words into a base state, flags and the rest. */
  private static final class Reader {
    private NodeBaseState base = NodeBaseState.UNKNOWN;
    private boolean based;
    private final Set<NodeFlag> flags = EnumSet.noneOf(NodeFlag.class);
    private final List<String> unknown = new ArrayList<>();

    void word(String word) {
      int end = word.length();
      var suffixes = EnumSet.noneOf(NodeFlag.class);
      for (NodeFlag flag = suffix(word, end); flag != null; flag = suffix(word, --end)) {
        suffixes.add(flag);
      }
      String name = word.substring(0, end);
      if (name(name.toUpperCase(Locale.ROOT))) {
        flags.addAll(suffixes);
      } else if (!word.isEmpty()) {
        unknown.add(word);
      }
    }

    private static @Nullable NodeFlag suffix(String word, int end) {
      return end > 1 ? SUFFIXES.get(word.charAt(end - 1)) : null;
    }

    private boolean name(String name) {
      return switch (name) {
        case "UNKNOWN", "UNK" -> base(NodeBaseState.UNKNOWN);
        case "DOWN" -> base(NodeBaseState.DOWN);
        case "IDLE" -> base(NodeBaseState.IDLE);
        case "ALLOCATED", "ALLOC" -> base(NodeBaseState.ALLOCATED);
        case "ERROR" -> base(NodeBaseState.ERROR);
        case "MIXED", "MIX" -> base(NodeBaseState.MIXED);
        case "FUTURE", "FUTR" -> base(NodeBaseState.FUTURE);
        case "DRAINED" -> base(NodeBaseState.IDLE, NodeFlag.DRAIN);
        case "DRAINING", "DRNG" -> base(NodeBaseState.MIXED, NodeFlag.DRAIN);
        case "FAILING", "FAILG" -> base(NodeBaseState.MIXED, NodeFlag.FAIL);
        case "RESV" -> implied(NodeFlag.RESERVED);
        case "MAINT" -> implied(NodeFlag.MAINTENANCE);
        case "PLND" -> implied(NodeFlag.PLANNED);
        case "BLOCK" -> implied(NodeFlag.BLOCKED);
        case "COMP" -> implied(NodeFlag.COMPLETING);
        case "INVAL" -> implied(NodeFlag.INVALID_REG);
        case "BOOT", "REBOOT" -> implied(NodeFlag.REBOOT_REQUESTED);
        case "POW_DN" -> implied(NodeFlag.POWER_DOWN);
        case "POW_UP" -> implied(NodeFlag.POWER_UP);
        case "NO_RESPOND" -> implied(NodeFlag.NOT_RESPONDING);
        default -> flag(name);
      };
    }

    private boolean flag(String name) {
      for (NodeFlag flag : NodeFlag.values()) {
        if (flag.name().equals(name)) {
          return implied(flag);
        }
      }
      return false;
    }

    private boolean base(NodeBaseState state, NodeFlag... implied) {
      if (!based) {
        base = state;
        based = true;
      }
      flags.addAll(List.of(implied));
      return true;
    }

    /** A flag alone, as sinfo prints it in place of a base state, stands on an idle node. */
    private boolean implied(NodeFlag flag) {
      flags.add(flag);
      if (!based && IDLE_WORDS.contains(flag)) {
        base = NodeBaseState.IDLE;
      }
      return true;
    }
  }

  /** Flags that sinfo prints in place of "idle". */
  private static final Set<NodeFlag> IDLE_WORDS =
      EnumSet.of(
          NodeFlag.RESERVED,
          NodeFlag.MAINTENANCE,
          NodeFlag.PLANNED,
          NodeFlag.BLOCKED,
          NodeFlag.COMPLETING,
          NodeFlag.DRAIN,
          NodeFlag.FAIL);
}
