package dev.yardmaster.explain;

import dev.yardmaster.explain.Evidence.Nodes;
import dev.yardmaster.model.text.Memory;

/** Amounts with their units in words. */
final class Amounts {
  /** What the unit of a limit on an amount times its time ends in. */
  private static final String MINUTES = "-minutes";

  private final Texts texts;

  Amounts(Texts texts) {
    this.texts = texts;
  }

  /** An amount in the unit of a limit. */
  String of(String unit, long value) {
    if (unit.endsWith(MINUTES)) {
      String tres = unit.substring(0, unit.length() - MINUTES.length());
      return texts.get("unit.minutesOf", value, tres.equals("gres/gpu") ? "GPU" : name(tres));
    }
    return switch (unit) {
      case "minutes" -> texts.duration(value * 60);
      case "mem" -> Memory.format(value);
      case "jobs" -> texts.get("unit.job", value);
      case "node" -> texts.get("unit.node", value);
      case "cpu" -> texts.get("unit.cpu", value);
      case "gres/gpu" -> texts.get("unit.gres", value);
      default ->
          unit.startsWith("gres/") || unit.startsWith("license/") || unit.equals("billing")
              ? texts.get("unit.gresTyped", value, name(unit))
              : Long.toString(value);
    };
  }

  /** What a TRES is called in a sentence. */
  private static String name(String tres) {
    return switch (tres) {
      case "cpu" -> "CPU";
      case "mem" -> "MB";
      default -> tres.substring(tres.indexOf('/') + 1);
    };
  }

  /** What the largest of the nodes has that are too small. */
  String largest(Nodes nodes) {
    StringBuilder out = new StringBuilder();
    for (Evidence.Fall fall : nodes.falls()) {
      String most = most(fall);
      if (!most.isEmpty()) {
        out.append(texts.get("answer.largest", most));
      }
    }
    return out.toString();
  }

  /** What belongs to the cause of a fall: of devices that are too few how many are asked for. */
  String detail(Evidence.Fall fall) {
    boolean few =
        fall.cause() == Evidence.Cause.GRES_BUSY || fall.cause() == Evidence.Cause.TOO_FEW_GRES;
    String count = fall.detail().substring(fall.detail().lastIndexOf(':') + 1);
    return few && count.matches("[0-9]{1,9}") && fall.detail().matches("[^,]+:[0-9]+")
        ? of(unitOf(fall.detail()), Long.parseLong(count))
        : fall.detail();
  }

  /** What the largest of nodes that are too small has; empty when that is not told. */
  String most(Evidence.Fall fall) {
    if (fall.most() <= 0) {
      return "";
    }
    return switch (fall.cause()) {
      case TOO_FEW_CPUS -> of("cpu", fall.most());
      case TOO_LITTLE_MEMORY -> texts.get("unit.mem", Memory.format(fall.most()));
      case TOO_LITTLE_DISK -> texts.get("unit.disk", Memory.format(fall.most()));
      case TOO_FEW_GRES -> of(unitOf(fall.detail()), fall.most());
      default -> "";
    };
  }

  /** The TRES of a request such as {@code gpu:h100:8}. */
  private static String unitOf(String gres) {
    String last = gres.substring(gres.lastIndexOf(':') + 1);
    boolean counted = !last.isEmpty() && last.chars().allMatch(c -> c >= '0' && c <= '9');
    return "gres/"
        + (counted && gres.contains(":") ? gres.substring(0, gres.lastIndexOf(':')) : gres);
  }
}
