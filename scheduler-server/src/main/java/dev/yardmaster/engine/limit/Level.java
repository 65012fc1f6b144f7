package dev.yardmaster.engine.limit;

import dev.yardmaster.model.Association;
import dev.yardmaster.model.Limits;
import dev.yardmaster.model.Qos;
import org.jspecify.annotations.Nullable;

/**
 * A place that sets limits: a QOS, or an association.
 *
 * @param key names it among all places whose use is counted
 * @param kind what it is called in an explanation: {@code qos}, {@code account}, {@code user}
 * @param factor what its limits on TRES are multiplied with (LimitFactor)
 */
record Level(
    String key,
    String kind,
    String name,
    Limits limits,
    double factor,
    @Nullable Qos qos,
    @Nullable Association association) {
  static Level of(Qos qos) {
    return new Level("q" + qos.name(), "qos", qos.name(), qos.limits(), 1, qos, null);
  }

  static Level of(Association a, double factor) {
    return new Level(
        "a" + a.id(),
        a.isUser() ? "user" : "account",
        a.isUser() ? a.user() + " (" + a.account() + ")" : a.account(),
        a.limits(),
        factor,
        null,
        a);
  }

  boolean isQos() {
    return qos != null;
  }
}
