package dev.yardmaster.controller;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NotationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Settings that scontrol changes while the controller runs (setdebug, setdebugflags, update
 * SuspendExcNodes and its like). They hold until the configuration is read again.
 */
final class SettingCommands {
  /** By the name in lower case, the key of slurm.conf(5). */
  private static final Map<String, String> KEYS =
      Map.of(
          "slurmctlddebug", "SlurmctldDebug",
          "debugflags", "DebugFlags",
          "fairsharedampeningfactor", "FairShareDampeningFactor",
          "suspendexcnodes", "SuspendExcNodes",
          "suspendexcparts", "SuspendExcParts",
          "suspendexcstates", "SuspendExcStates");

  private SettingCommands() {}

  /**
   * Changes settings, all or none.
   *
   * @throws Refusal for one that cannot be changed so
   */
  static Reply change(Turn turn, SortedMap<String, String> settings) {
    ClusterConfig config = turn.state().config();
    TreeMap<String, String> changed = new TreeMap<>(config.settings());
    settings.forEach(
        (name, value) -> {
          String key = KEYS.get(name.toLowerCase(Locale.ROOT));
          if (key == null) {
            throw new Refusal(
                SlurmError.NOT_SUPPORTED, "\n" + name + " is changed in slurm.conf only");
          }
          String before = changed.getOrDefault(key, "");
          String after = key.equals("DebugFlags") ? flags(before, value) : list(key, before, value);
          if (after.isEmpty()) {
            changed.remove(key);
          } else {
            changed.put(key, after);
          }
        });
    turn.emit(new Event.ConfigApplied(turn.now(), config.with(c -> c.settings(changed))));
    return new Reply.Done(List.of());
  }

  /** Words with + or - before each, as {@code +backfill,-steps}. */
  private static String flags(String before, String words) {
    List<String> flags = items(before);
    for (String word : items(words)) {
      String flag = word.substring(1);
      flags.removeIf(flag::equalsIgnoreCase);
      if (word.startsWith("+")) {
        flags.add(flag);
      }
    }
    return String.join(",", flags);
  }

  private static String list(String key, String before, String value) {
    boolean adds = value.startsWith("+");
    boolean takes = value.startsWith("-");
    if (!adds && !takes) {
      return value;
    }
    String words = value.substring(1);
    List<String> items = items(before);
    if (key.equals("SuspendExcNodes") && !before.contains(":") && !words.contains(":")) {
      try {
        items = new ArrayList<>(HostList.parse(before).expand());
        for (String node : HostList.parse(words)) {
          items.remove(node);
          if (adds) {
            items.add(node);
          }
        }
        return items.isEmpty() ? "" : HostList.fold(items);
      } catch (NotationException e) {
        throw new Refusal(SlurmError.INVALID_NODE_NAME, "\n" + e.getMessage());
      }
    }
    for (String word : items(words)) {
      items.removeIf(word::equalsIgnoreCase);
      if (adds) {
        items.add(word);
      }
    }
    return String.join(",", items);
  }

  private static List<String> items(String list) {
    List<String> items = new ArrayList<>();
    for (String item : list.split(",", -1)) {
      if (!item.isBlank()) {
        items.add(item.strip());
      }
    }
    return items;
  }
}
