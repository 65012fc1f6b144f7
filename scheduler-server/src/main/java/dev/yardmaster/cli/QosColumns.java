package dev.yardmaster.cli;

import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.text.TimeLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The columns of a QOS that sacctmgr can show. */
final class QosColumns {
  private QosColumns() {}

  static List<PrintFields.Field<Qos>> all() {
    List<PrintFields.Field<Qos>> fields = new ArrayList<>();
    fields.add(new PrintFields.Field<>("Name", "Name", 10, Qos::name));
    fields.add(new PrintFields.Field<>("Description", "Descr", 20, Qos::description));
    fields.add(
        new PrintFields.Field<>("Priority", "Priority", 10, q -> Long.toString(q.priority())));
    fields.add(
        new PrintFields.Field<>(
            "GraceTime", "GraceTime", 10, q -> TimeLimits.format(q.graceSeconds())));
    fields.add(
        new PrintFields.Field<>("Preempt", "Preempt", 10, q -> String.join(",", q.preempt())));
    fields.add(
        new PrintFields.Field<>(
            "PreemptExemptTime",
            "PreemptExemptTime",
            19,
            q ->
                q.preemptExemptSeconds() == null
                    ? ""
                    : TimeLimits.format(q.preemptExemptSeconds())));
    fields.add(new PrintFields.Field<>("PreemptMode", "PreemptMode", 11, Qos::preemptMode));
    fields.add(new PrintFields.Field<>("Flags", "Flags", 20, q -> String.join(",", q.flags())));
    fields.add(
        new PrintFields.Field<>(
            "UsageThreshold", "UsageThres", 10, q -> factor(q.usageThreshold())));
    fields.add(
        new PrintFields.Field<>("UsageFactor", "UsageFactor", 11, q -> factor(q.usageFactor())));
    fields.add(
        new PrintFields.Field<>("LimitFactor", "LimitFactor", 11, q -> factor(q.limitFactor())));
    fields.add(new PrintFields.Field<>("ID", "ID", 6, q -> Integer.toString(q.id())));
    for (LimitKind kind : LimitKind.values()) {
      if (kind.onQos()) {
        fields.add(limit(kind));
      }
    }
    return fields;
  }

  private static String factor(@org.jspecify.annotations.Nullable Double value) {
    return value == null ? "" : String.format(Locale.ROOT, "%.6f", value);
  }

  private static PrintFields.Field<Qos> limit(LimitKind kind) {
    int width =
        switch (kind.unit()) {
          case TRES, TRES_MINUTES -> Math.max(13, kind.column().length());
          case MINUTES -> 11;
          case JOBS, NUMBER -> Math.max(7, kind.column().length());
        };
    return new PrintFields.Field<>(kind.option(), kind.column(), width, q -> shown(q, kind));
  }

  private static String shown(Qos qos, LimitKind kind) {
    if (kind.byTres()) {
      return Sacctmgr.tres(qos.limits().tres(kind));
    }
    Long number = qos.limits().number(kind);
    return number == null ? "" : AssociationColumns.number(kind, number);
  }
}
