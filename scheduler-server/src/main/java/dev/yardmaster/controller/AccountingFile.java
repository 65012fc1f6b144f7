package dev.yardmaster.controller;

import dev.yardmaster.model.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The accounting that a new cluster begins with: commands of sacctmgr(1), one a line, as they
 * follow {@code sacctmgr -i}. {@code {user}} stands for the user who starts the server; {@code #}
 * begins a comment.
 */
public record AccountingFile(String source, List<Line> lines) {
  /** A cluster that begins with what every accounting has. */
  public static final AccountingFile NONE = new AccountingFile("", List.of());

  private static final String STARTER = "{user}";

  public AccountingFile {
    lines = List.copyOf(lines);
  }

  /** One command, and the number of its line in the file. */
  public record Line(int number, List<String> words) {
    public Line {
      words = List.copyOf(words);
    }
  }

  /**
   * Reads a file.
   *
   * @param user who starts the server
   * @throws IllegalArgumentException naming file and line
   */
  public static AccountingFile read(Path file, String user) throws IOException {
    return parse(file.toString(), Files.readAllLines(file), user);
  }

  /** As {@link #read}, from lines. */
  public static AccountingFile parse(String source, List<String> text, String user) {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < text.size(); i++) {
      try {
        List<String> words =
            SbatchArguments.words(text.get(i)).stream().map(w -> w.replace(STARTER, user)).toList();
        if (!words.isEmpty()) {
          lines.add(new Line(i + 1, words));
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(source + ":" + (i + 1) + ": " + e.getMessage(), e);
      }
    }
    return new AccountingFile(source, lines);
  }

  /**
   * Gives the commands to a new cluster, as the operator.
   *
   * @throws IllegalArgumentException naming file and line of the first that is refused; nothing of
   *     the run may be made durable then
   */
  void apply(VirtualRun run, Identity operator, Instant at) {
    for (Line line : lines) {
      if (run.handle(new Command.ChangeAccounting(operator, line.words(), false), at)
          instanceof Reply.Refused refused) {
        String detail = refused.detail();
        String why =
            detail == null ? refused.error().text() : detail.strip().replaceAll("\\s+", " ");
        throw new IllegalArgumentException(source + ":" + line.number() + ": " + why);
      }
    }
  }
}
