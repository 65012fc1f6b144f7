package dev.yardmaster.controller;

import dev.yardmaster.engine.limit.Enforcement;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.SlurmError;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Workload characterization keys of jobs (slurm.conf(5), TrackWCKey and AccountingStorageEnforce).
 * Where they are tracked, a job that names none gets the default of its user, marked by a {@code
 * *}; where they are enforced, a job may only name one of its user's.
 */
final class WorkloadKeys {
  /** What marks a key that a job got by default. */
  static final String DEFAULT = "*";

  private WorkloadKeys() {}

  /**
   * The key of a submission.
   *
   * @param asked what --wckey says, empty for nothing
   * @throws Refusal for a key that the user does not have, or none at all, where they are enforced
   */
  static String ofSubmission(ClusterState state, String user, String asked) {
    String key = asked.toLowerCase(Locale.ROOT);
    Enforcement enforcement = Enforcement.of(state.config());
    if (key.startsWith(DEFAULT)) {
      throw refusal(state, user, key);
    }
    if (!enforcement.tracksWckeys()) {
      return key;
    }
    if (!key.isEmpty()) {
      requireKnown(state, enforcement, user, key);
      return key;
    }
    String given = defaultOf(state, user);
    if (given.isEmpty() && enforcement.wckeys()) {
      throw refusal(state, user, "(none)");
    }
    return DEFAULT + given;
  }

  /**
   * The key of a job after {@code scontrol update job WCKey=}. A key that nobody enforces and that
   * the user does not have becomes the default, if there is one.
   *
   * @throws Refusal for a key that the user does not have, where they are enforced
   */
  static String ofUpdate(ClusterState state, String user, String asked) {
    String key = asked.toLowerCase(Locale.ROOT);
    Enforcement enforcement = Enforcement.of(state.config());
    if (enforcement.tracksWckeys() && !has(state, user, key)) {
      requireKnown(state, enforcement, user, key);
      String given = defaultOf(state, user);
      return given.isEmpty() ? key : given;
    }
    return key;
  }

  /** Whether a job's key is what a filter means: with or without the mark of a default. */
  static boolean matches(String key, String filter) {
    return key.equals(filter)
        || !filter.startsWith(DEFAULT)
            && key.startsWith(DEFAULT)
            && key.substring(1).equals(filter);
  }

  private static void requireKnown(
      ClusterState state, Enforcement enforcement, String user, String key) {
    if (enforcement.wckeys() && !has(state, user, key)) {
      throw refusal(state, user, key);
    }
  }

  private static boolean has(ClusterState state, String user, String key) {
    return known(state, user) instanceof AccountUser u && u.wckeys().contains(key);
  }

  private static String defaultOf(ClusterState state, String user) {
    return known(state, user) instanceof AccountUser u ? u.defaultWckey() : "";
  }

  private static @Nullable AccountUser known(ClusterState state, String user) {
    return state.accounting().users().get(user);
  }

  private static Refusal refusal(ClusterState state, String user, String key) {
    List<String> keys = known(state, user) instanceof AccountUser u ? u.wckeys() : List.of();
    return new Refusal(
        SlurmError.INVALID_WCKEY,
        "\nwckey %s: user %s may use %s".formatted(key, user, keys.isEmpty() ? "none" : keys));
  }
}
