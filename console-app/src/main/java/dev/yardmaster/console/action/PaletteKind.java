package dev.yardmaster.console.action;

import dev.yardmaster.console.i18n.TextKey;
import dev.yardmaster.console.kit.Icon;

/** What an entry of the palette stands for. */
public enum PaletteKind {
  COMMAND(ActionText.KIND_COMMAND, Icon.COMMAND),
  JOB(ActionText.KIND_JOB, Icon.JOB),
  NODE(ActionText.KIND_NODE, Icon.NODE),
  ACCOUNT(ActionText.KIND_ACCOUNT, Icon.ACCOUNT),
  USER(ActionText.KIND_USER, Icon.USER),
  PARTITION(ActionText.KIND_PARTITION, Icon.PARTITION),
  QOS(ActionText.KIND_QOS, Icon.QOS),
  RESERVATION(ActionText.KIND_RESERVATION, Icon.RESERVATION),
  SETTING(ActionText.KIND_SETTING, Icon.SETTINGS);

  private final TextKey text;
  private final Icon icon;

  PaletteKind(TextKey text, Icon icon) {
    this.text = text;
    this.icon = icon;
  }

  public TextKey text() {
    return text;
  }

  public Icon icon() {
    return icon;
  }
}
