package dev.yardmaster.console.terms;

import dev.yardmaster.console.i18n.TextKey;
import dev.yardmaster.model.Reason;

/** The text of one of Slurm's reasons; the bundle {@code ReasonText} has an entry for each. */
record ReasonKey(Reason reason) implements TextKey {
  @Override
  public String name() {
    return reason.name();
  }

  @Override
  public String bundle() {
    return ReasonKey.class.getPackageName() + ".ReasonText";
  }
}
