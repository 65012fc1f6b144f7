package dev.yardmaster.model.text;

import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import java.util.Locale;

/**
 * The one word that sinfo shows for a node: what matters most of its state and flags, and one
 * suffix character (sinfo(1), "NODE STATE CODES").
 */
final class SinfoState {
  private SinfoState() {}

  static String compact(NodeStateText state) {
    Word word = word(state);
    return word.shortName + word.suffix;
  }

  static String complete(NodeStateText state) {
    Word word = word(state);
    return word.longName + word.suffix;
  }

  private record Word(String longName, String shortName, String suffix) {}

  private static Word word(NodeStateText state) {
    boolean busy = state.base() == NodeBaseState.ALLOCATED || state.base() == NodeBaseState.MIXED;
    boolean drain = state.has(NodeFlag.DRAIN);
    boolean down = state.base() == NodeBaseState.DOWN;
    String responding = state.has(NodeFlag.NOT_RESPONDING) ? "*" : "";
    if (state.has(NodeFlag.INVALID_REG)) {
      return new Word("inval", "inval", "");
    }
    if (state.has(NodeFlag.MAINTENANCE) && !drain && !busy && !down) {
      return new Word("maint", "maint", responding);
    }
    if (!busy && state.has(NodeFlag.REBOOT_ISSUED)) {
      return new Word("reboot", "boot", "^");
    }
    if (!busy && state.has(NodeFlag.REBOOT_REQUESTED)) {
      return new Word("reboot", "boot", responding);
    }
    boolean working = busy || state.has(NodeFlag.COMPLETING);
    if (drain) {
      return working
          ? new Word("draining", "drng", suffix(state))
          : new Word("drained", "drain", suffix(state));
    }
    if (state.has(NodeFlag.FAIL)) {
      return working
          ? new Word("failing", "failg", responding)
          : new Word("fail", "fail", responding);
    }
    return based(state, suffix(state));
  }

  private static Word based(NodeStateText state, String suffix) {
    NodeBaseState base = state.base();
    boolean completing = state.has(NodeFlag.COMPLETING);
    if (completing && base != NodeBaseState.ALLOCATED && base != NodeBaseState.DOWN) {
      return new Word("completing", "comp", suffix);
    }
    if (!suffix.isEmpty()) {
      return plain(base, suffix);
    }
    if (base == NodeBaseState.ALLOCATED && completing) {
      return plain(base, "+");
    }
    if (base == NodeBaseState.IDLE && state.has(NodeFlag.RESERVED)) {
      return new Word("reserved", "resv", "");
    }
    if (base == NodeBaseState.IDLE && state.has(NodeFlag.BLOCKED)) {
      return new Word("blocked", "block", "");
    }
    if (state.has(NodeFlag.PLANNED)) {
      if (base == NodeBaseState.IDLE) {
        return new Word("planned", "plnd", "");
      }
      if (base == NodeBaseState.MIXED) {
        return plain(base, "-");
      }
    }
    return plain(base, "");
  }

  private static Word plain(NodeBaseState base, String suffix) {
    return new Word(base.name().toLowerCase(Locale.ROOT), base.shortName(), suffix);
  }

  private static String suffix(NodeStateText state) {
    if (state.has(NodeFlag.MAINTENANCE)) {
      return "$";
    }
    if (state.has(NodeFlag.REBOOT_ISSUED)) {
      return "^";
    }
    if (state.has(NodeFlag.REBOOT_REQUESTED)) {
      return "@";
    }
    if (state.has(NodeFlag.POWERING_UP)) {
      return "#";
    }
    if (state.has(NodeFlag.POWERING_DOWN)) {
      return "%";
    }
    if (state.has(NodeFlag.POWERED_DOWN)) {
      return "~";
    }
    if (state.has(NodeFlag.POWER_DOWN)) {
      return "!";
    }
    return state.has(NodeFlag.NOT_RESPONDING) ? "*" : "";
  }
}
