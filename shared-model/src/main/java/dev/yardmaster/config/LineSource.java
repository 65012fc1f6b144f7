package dev.yardmaster.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the text of a file into lines as slurm.conf(5) joins them: a backslash at the end of a line
 * continues it, what follows an unescaped "#" is a comment, and a backslash takes the next
 * character as it is.
 */
final class LineSource {
  /** Above any configuration of the largest clusters by a factor of ten. */
  private static final long MOST_BYTES = 32L << 20;

  private final Path file;
  private final Findings findings;
  private final List<SourceLine> lines = new ArrayList<>();

  private LineSource(Path file, Findings findings) {
    this.file = file;
    this.findings = findings;
  }

  /** The lines of a text; blank ones are left out. */
  static List<SourceLine> lines(Path file, String text, Findings findings) {
    var source = new LineSource(file, findings);
    source.join(text.split("\n", -1));
    return source.lines;
  }

  /** The text of a file; null with a finding when it cannot be read as text. */
  static @Nullable String read(Path file, Findings findings) {
    findings.opened(file);
    try {
      if (Files.isDirectory(file)) {
        findings.add(Severity.FATAL, file, 0, "is a directory", "name a file");
        return null;
      }
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        findings.add(Severity.FATAL, file, 0, "is not a regular file", "name a file");
        return null;
      }
      if (Files.size(file) > MOST_BYTES) {
        findings.add(
            Severity.FATAL,
            file,
            0,
            "has more than " + (MOST_BYTES >> 20) + " MiB",
            "this is not a configuration file");
        return null;
      }
      return decode(file, Files.readAllBytes(file), findings);
    } catch (NoSuchFileException e) {
      findings.add(Severity.FATAL, file, 0, "does not exist", "check the name and the folder");
    } catch (IOException e) {
      findings.add(
          Severity.FATAL,
          file,
          0,
          "cannot be read (" + e.getClass().getSimpleName() + ")",
          "check who may read it");
    }
    return null;
  }

  private static @Nullable String decode(Path file, byte[] bytes, Findings findings) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        findings.add(Severity.FATAL, file, 0, "holds binary data", "name a text file");
        return null;
      }
    }
    CharsetDecoder strict =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    String text;
    try {
      CharBuffer decoded = strict.decode(ByteBuffer.wrap(bytes));
      text = decoded.toString();
    } catch (CharacterCodingException e) {
      text = new String(bytes, StandardCharsets.ISO_8859_1);
      findings.add(
          Severity.WARNING, file, 0, "is not UTF-8 and is read as ISO 8859-1", "save it as UTF-8");
    }
    if (text.startsWith("\uFEFF")) {
      findings.add(
          Severity.WARNING,
          file,
          1,
          "begins with a byte order mark, which Slurm cannot parse",
          "save the file without it");
      return text.substring(1);
    }
    return text;
  }

  private void join(String[] raw) {
    int at = 0;
    while (at < raw.length) {
      int first = at;
      var text = new StringBuilder();
      var starts = new ArrayList<Integer>();
      boolean more = true;
      while (more && at < raw.length) {
        starts.add(text.length());
        String line = withoutComment(raw[at], at + 1);
        int end = continuation(line);
        more = end >= 0;
        unescape(more ? line.substring(0, end) : line, text);
        at++;
      }
      if (!text.toString().isBlank()) {
        int[] offsets = starts.stream().mapToInt(Integer::intValue).toArray();
        lines.add(new SourceLine(file, first + 1, text.toString(), offsets));
      }
    }
  }

  /**
   * Cuts the comment. Slurm knows no quotes here; a "#" between quotes is kept all the same,
   * because that is what was meant, and said.
   */
  private String withoutComment(String line, int number) {
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == '#') {
        if (!quoted || line.indexOf('"', i) < 0) {
          return line.substring(0, i);
        }
        findings.add(
            Severity.WARNING,
            file,
            number,
            "Slurm takes the \"#\" between the quotes for the start of a comment",
            "write \\#");
      }
    }
    return line;
  }

  /** Where the backslash that continues the line stands; -1 when the line ends here. */
  private static int continuation(String line) {
    int end = line.length();
    while (end > 0 && isSpace(line.charAt(end - 1))) {
      end--;
    }
    int slashes = 0;
    while (end - slashes > 0 && line.charAt(end - slashes - 1) == '\\') {
      slashes++;
    }
    return slashes % 2 == 1 ? end - 1 : -1;
  }

  private static void unescape(String line, StringBuilder out) {
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\\' && i + 1 < line.length()) {
        i++;
        c = line.charAt(i);
      }
      out.append(c);
    }
  }

  /** White space as the C library sees it. */
  static boolean isSpace(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }
}
