package dev.yardmaster.config;

import java.nio.file.Path;
import java.util.Arrays;

/**
 * One line of a file as the parser sees it: continuations joined, comments and escapes gone. It
 * knows on which line of the file each of its characters stood.
 */
final class SourceLine {
  private final Path file;
  private final String text;
  private final int[] starts;
  private final int firstLine;

  /** Part {@code i} of the text begins at {@code starts[i]} and stood on line first + i. */
  SourceLine(Path file, int firstLine, String text, int... starts) {
    this.file = file;
    this.firstLine = firstLine;
    this.text = text;
    this.starts = starts.clone();
  }

  Path file() {
    return file;
  }

  String text() {
    return text;
  }

  /** The line of the file on which the character at {@code offset} stood. */
  int lineAt(int offset) {
    int i = Arrays.binarySearch(starts, offset);
    // A joined line may begin at the same offset as the empty one before it: take the last.
    int part = i >= 0 ? i : -i - 2;
    while (part + 1 < starts.length && starts[part + 1] == offset) {
      part++;
    }
    return firstLine + Math.max(0, part);
  }
}
