package dev.yardmaster.config;

import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.text.HostList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One line of gres.conf.
 *
 * @param at where it stands
 * @param nodes the nodes it is for; null for all
 * @param name the kind, as in {@code gpu}; empty on a line that only says AutoDetect
 * @param type null when not given
 * @param files one text for each device; a device of several files (MultipleFiles=) has them
 *     divided by commas
 * @param saidCount Count=; null when not given
 * @param cores core indices; null when not given
 * @param links Links=; null when not given
 * @param flags lower case
 * @param autoDetect lower case, empty when not given
 */
record GresLine(
    Setting at,
    @Nullable HostList nodes,
    String name,
    @Nullable String type,
    List<String> files,
    @Nullable Long saidCount,
    @Nullable IndexSet cores,
    @Nullable Setting coresAt,
    @Nullable List<Integer> links,
    Set<String> flags,
    String autoDetect) {
  GresLine {
    files = List.copyOf(files);
  }

  /** True for GRES that are parts of another, of which one device file stands for many. */
  static boolean isShared(String name) {
    return name.equals("shard") || name.equals("mps");
  }

  /** How many of the kind the line describes. */
  long count() {
    if (saidCount != null) {
      return saidCount;
    }
    return files.isEmpty() ? 1 : files.size();
  }
}
