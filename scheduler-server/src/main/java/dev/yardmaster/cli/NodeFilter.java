package dev.yardmaster.cli;

import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.text.NodeStateText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** Which nodes sinfo lists by their state (sinfo(1), {@code --states}). */
final class NodeFilter {
  private static final Map<String, Predicate<NodeStateText>> WORDS = new LinkedHashMap<>();

  static {
    WORDS.put("unknown", base(NodeBaseState.UNKNOWN));
    WORDS.put("down", base(NodeBaseState.DOWN));
    WORDS.put("idle", plain(NodeBaseState.IDLE));
    WORDS.put("allocated", plain(NodeBaseState.ALLOCATED));
    WORDS.put("mixed", plain(NodeBaseState.MIXED));
    WORDS.put("future", base(NodeBaseState.FUTURE));
    WORDS.put("drained", state -> state.has(NodeFlag.DRAIN) && !isWorking(state));
    WORDS.put("draining", state -> state.has(NodeFlag.DRAIN) && isWorking(state));
    for (NodeFlag flag : NodeFlag.values()) {
      if (flag != NodeFlag.RESUME
          && flag != NodeFlag.UNDRAIN
          && flag != NodeFlag.POWER_DRAIN
          && flag != NodeFlag.REBOOT_CANCELED) {
        WORDS.put(flag.name().toLowerCase(Locale.ROOT), state -> state.has(flag));
      }
    }
  }

  private static final Map<String, String> SHORT =
      Map.ofEntries(
          Map.entry("alloc", "allocated"),
          Map.entry("mix", "mixed"),
          Map.entry("comp", "completing"),
          Map.entry("drng", "draining"),
          Map.entry("failing", "fail"),
          Map.entry("maint", "maintenance"),
          Map.entry("resv", "reserved"),
          Map.entry("plnd", "planned"),
          Map.entry("unk", "unknown"),
          Map.entry("futr", "future"),
          Map.entry("no_respond", "not_responding"),
          Map.entry("block", "blocked"));

  private NodeFilter() {}

  /**
   * Reads states at commas, any of which will do; "&amp;" joins states that must all hold, and "~"
   * turns one round.
   */
  static Predicate<NodeStateText> parse(String text) throws CommandFailure {
    Predicate<NodeStateText> any = state -> false;
    for (String alternative : Formats.list(text)) {
      Predicate<NodeStateText> all = state -> true;
      for (String word : alternative.split("&", -1)) {
        boolean not = word.startsWith("~");
        Predicate<NodeStateText> one = word(not ? word.substring(1) : word, text);
        all = all.and(not ? one.negate() : one);
      }
      any = any.or(all);
    }
    return any;
  }

  private static Predicate<NodeStateText> word(String word, String text) throws CommandFailure {
    String name = word.toLowerCase(Locale.ROOT);
    if (name.equals("all")) {
      return state -> true;
    }
    Predicate<NodeStateText> known = WORDS.get(SHORT.getOrDefault(name, name));
    if (known == null) {
      throw new CommandFailure(
          1,
          "sinfo: error: Bad state string: \"" + text + "\"",
          "sinfo: error: valid states: " + String.join(",", shown()));
    }
    return known;
  }

  private static List<String> shown() {
    return new ArrayList<>(WORDS.keySet());
  }

  private static Predicate<NodeStateText> base(NodeBaseState base) {
    return state -> state.base() == base;
  }

  /** A base state that no flag makes into something else. */
  private static Predicate<NodeStateText> plain(NodeBaseState base) {
    return state -> state.base() == base && !state.has(NodeFlag.DRAIN) && !state.has(NodeFlag.FAIL);
  }

  private static boolean isWorking(NodeStateText state) {
    return state.base() == NodeBaseState.ALLOCATED
        || state.base() == NodeBaseState.MIXED
        || state.has(NodeFlag.COMPLETING);
  }
}
