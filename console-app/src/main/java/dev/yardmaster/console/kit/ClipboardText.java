package dev.yardmaster.console.kit;

import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;

/** Puts text on the clipboard of the system. To be used on the JavaFX thread. */
public final class ClipboardText {
  private ClipboardText() {}

  /** Replaces what is on the clipboard. */
  public static void put(String text) {
    ClipboardContent content = new ClipboardContent();
    content.putString(text);
    Clipboard.getSystemClipboard().setContent(content);
  }
}
