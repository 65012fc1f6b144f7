package dev.yardmaster.engine.limit;

import dev.yardmaster.model.ClusterConfig;
import java.util.Locale;
import java.util.TreeSet;

/**
 * How far a cluster keeps and enforces its accounting (slurm.conf(5), AccountingStorageType and
 * AccountingStorageEnforce).
 *
 * @param tracked accounts are kept: jobs get their account and QOS from their association; so too
 *     where no storage is named and something is to be enforced
 * @param associations only users with an association may submit
 * @param limits limits of associations and QOS count
 * @param qos a job needs a QOS that its association may use
 * @param safe a job with a limit on minutes starts only if it can run to its end
 * @param tracksWckeys jobs get the wckey of their user (TrackWCKey), which enforcing implies
 * @param wckeys only known wckeys may be used
 */
public record Enforcement(
    boolean tracked,
    boolean associations,
    boolean limits,
    boolean qos,
    boolean safe,
    boolean tracksWckeys,
    boolean wckeys) {
  /** As the configuration says. */
  public static Enforcement of(ClusterConfig config) {
    TreeSet<String> words = new TreeSet<>();
    String text = config.setting("AccountingStorageEnforce").orElse("");
    for (String word : text.toLowerCase(Locale.ROOT).split(",", -1)) {
      words.add(word.strip());
    }
    String type = config.setting("AccountingStorageType").orElse("").toLowerCase(Locale.ROOT);
    boolean enforces = !text.isBlank() && !words.contains("none") && !words.contains("0");
    boolean tracked = type.isEmpty() ? enforces : !type.endsWith("/none");
    boolean all = words.contains("all") || words.contains("1");
    boolean safe = all || words.contains("safe");
    boolean limits = safe || words.contains("limits");
    boolean wckeys = all || words.contains("wckeys");
    boolean qos = all || words.contains("qos");
    boolean associations = limits || wckeys || qos || words.contains("associations");
    return new Enforcement(
        tracked,
        tracked && associations,
        tracked && limits,
        tracked && qos,
        tracked && safe,
        tracked && (wckeys || tracksWckeys(config)),
        tracked && wckeys);
  }

  private static boolean tracksWckeys(ClusterConfig config) {
    String word = config.setting("TrackWCKey").orElse("no").strip().toLowerCase(Locale.ROOT);
    return word.equals("yes") || word.equals("true") || word.equals("1") || word.equals("up");
  }
}
