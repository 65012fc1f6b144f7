package dev.yardmaster.cli;

import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.text.NodeStateText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Which nodes sinfo lists by their state (sinfo(1), {@code --states}). A name may be cut short; the
 * first that it begins is meant.
 */
final class NodeFilter {
  /** Base states, then what DRAIN makes of them, then flags; by what each may be called. */
  private static final Map<String, Predicate<NodeStateText>> WORDS = new LinkedHashMap<>();

  private static final List<String> SHOWN = new ArrayList<>();

  static {
    word("unknown unk", base(NodeBaseState.UNKNOWN));
    word("down", base(NodeBaseState.DOWN));
    word("idle", base(NodeBaseState.IDLE));
    word("allocated alloc", NodeFilter::isAllocated);
    word("mixed mix", base(NodeBaseState.MIXED));
    word("future futr", base(NodeBaseState.FUTURE));
    Predicate<NodeStateText> drain = state -> state.has(NodeFlag.DRAIN);
    WORDS.put("drain", drain);
    word("drained", drain.and(state -> !isWorking(state)));
    word("draining drng", drain.and(NodeFilter::isWorking));
    flag("blocked", NodeFlag.BLOCKED);
    flag("cloud", NodeFlag.CLOUD);
    flag("completing comp", NodeFlag.COMPLETING);
    SHOWN.add("drain");
    flag("dynamic_future", NodeFlag.DYNAMIC_FUTURE);
    flag("dynamic_norm", NodeFlag.DYNAMIC_NORM);
    flag("external", NodeFlag.EXTERNAL);
    flag("invalid_reg inval", NodeFlag.INVALID_REG);
    flag("fail failing failg", NodeFlag.FAIL);
    flag("maintenance maint", NodeFlag.MAINTENANCE);
    flag("power_down pow_dn", NodeFlag.POWER_DOWN);
    flag("power_up pow_up", NodeFlag.POWER_UP);
    flag("powered_down", NodeFlag.POWERED_DOWN);
    flag("reboot_requested boot", NodeFlag.REBOOT_REQUESTED);
    flag("reboot_issued reboot^", NodeFlag.REBOOT_ISSUED);
    flag("reserved resv", NodeFlag.RESERVED);
    flag("not_responding no_respond", NodeFlag.NOT_RESPONDING);
    flag("planned plnd", NodeFlag.PLANNED);
    flag("powering_up", NodeFlag.POWERING_UP);
    flag("powering_down", NodeFlag.POWERING_DOWN);
  }

  private NodeFilter() {}

  private static void word(String names, Predicate<NodeStateText> test) {
    String[] all = names.split(" ");
    SHOWN.add(all[0]);
    for (String name : all) {
      WORDS.put(name, test);
    }
  }

  private static void flag(String names, NodeFlag flag) {
    word(names, state -> state.has(flag));
  }

  /** The names of all states, in Slurm's order. */
  static List<String> names() {
    return List.copyOf(SHOWN);
  }

  /**
   * Reads states at commas, any of which will do; where one is joined with "&amp;" or "+", all must
   * hold. "~" or "!" turns one round.
   */
  static Predicate<NodeStateText> parse(String text) throws CommandFailure {
    if (text.equalsIgnoreCase("all")) {
      return state -> true;
    }
    boolean and = text.indexOf('&') >= 0 || text.indexOf('+') >= 0;
    Predicate<NodeStateText> joined = null;
    for (String word : text.split("[,&+]")) {
      if (word.isEmpty()) {
        continue;
      }
      boolean not = word.startsWith("~") || word.startsWith("!");
      Predicate<NodeStateText> one = meant(not ? word.substring(1) : word);
      one = not ? one.negate() : one;
      joined = joined == null ? one : and ? joined.and(one) : joined.or(one);
    }
    return joined == null ? state -> false : joined;
  }

  private static Predicate<NodeStateText> meant(String word) throws CommandFailure {
    String begin = word.toLowerCase(Locale.ROOT);
    for (Map.Entry<String, Predicate<NodeStateText>> entry : WORDS.entrySet()) {
      if (entry.getKey().startsWith(begin)) {
        return entry.getValue();
      }
    }
    throw new CommandFailure(
        1,
        "sinfo: error: Bad state string: \"" + word + "\"",
        "sinfo: error: valid states: " + String.join(",", SHOWN));
  }

  /** Nodes that are to come are shown to who asks for them (-F, --future). */
  static List<Node> visible(Collection<Node> nodes, boolean future) {
    return nodes.stream().filter(n -> future || n.status().base() != NodeBaseState.FUTURE).toList();
  }

  private static Predicate<NodeStateText> base(NodeBaseState base) {
    return state -> state.base() == base;
  }

  private static boolean isAllocated(NodeStateText state) {
    return state.base() == NodeBaseState.ALLOCATED || state.base() == NodeBaseState.MIXED;
  }

  private static boolean isWorking(NodeStateText state) {
    return isAllocated(state) || state.has(NodeFlag.COMPLETING);
  }
}
