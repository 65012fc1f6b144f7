package dev.yardmaster.golden;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.text.TimeLimits;

/** How near is near enough, in a time that the recording did not control to the second. */
record Tolerances(int plannedSeconds, double priorityPoints) {
  private static final int STARTED_SECONDS = 25;
  private static final double SHARE = 0.03;

  static Tolerances of(ClusterConfig config) {
    String resolution = config.scheduling().parameters().getOrDefault("bf_resolution", "60");
    double weight = Double.parseDouble(config.setting("PriorityWeightAge").orElse("0"));
    long minutes = TimeLimits.parseMinutes(config.setting("PriorityMaxAge").orElse("7-0"));
    double perSecond = weight / (60.0 * Math.max(1, minutes));
    return new Tolerances(Integer.parseInt(resolution) + 20, 5 + 15 * perSecond);
  }

  int start(String state) {
    return state.equals("PENDING") ? plannedSeconds : STARTED_SECONDS;
  }

  boolean priority(String expected, String actual) {
    long a = Long.parseLong(expected);
    return Math.abs(a - Long.parseLong(actual)) <= priorityPoints + a * 0.002;
  }

  static boolean share(String expected, String actual) {
    try {
      return Math.abs(Double.parseDouble(expected) - Double.parseDouble(actual)) < SHARE;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
