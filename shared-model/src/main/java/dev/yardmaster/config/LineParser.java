package dev.yardmaster.config;

import dev.yardmaster.config.KeySpec.Status;
import dev.yardmaster.config.PairScanner.Pair;
import dev.yardmaster.config.PairScanner.Piece;
import dev.yardmaster.config.PairScanner.Stray;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns lines into settings and blocks, and names what is neither. Every line of gres.conf is a
 * block of its own.
 */
final class LineParser {
  private static final List<String> CONFLICT = List.of("<<<<<<<", "=======", ">>>>>>>", "|||||||");

  private final Section file;
  private final Set<Section> blocks;
  private final Findings findings;
  private final Consumer<Setting> settings;
  private final Consumer<Block> described;

  /**
   * @param file the section of the plain settings
   * @param blocks the kinds of lines that describe one thing each
   */
  LineParser(
      Section file,
      Set<Section> blocks,
      Findings findings,
      Consumer<Setting> settings,
      Consumer<Block> described) {
    this.file = file;
    this.blocks = blocks;
    this.findings = findings;
    this.settings = settings;
    this.described = described;
  }

  void parse(SourceLine line) {
    String text = line.text().strip();
    for (String marker : CONFLICT) {
      if (text.startsWith(marker)) {
        at(
            line,
            0,
            "",
            text,
            "a merge conflict is left in the file",
            "resolve it and remove the line");
        return;
      }
    }
    List<Piece> pieces = PairScanner.scan(line.text(), this::isKey);
    if (file == Section.GRES && pieces.getFirst() instanceof Pair first) {
      var head = new Setting(line.file(), line.lineAt(first.offset()), first.key(), first.value());
      described.accept(new Block(file, head, settings(line, pieces, file)));
      return;
    }
    switch (pieces.getFirst()) {
      case Stray stray -> strayLine(line, stray, pieces);
      case Pair pair -> pairs(line, pair, pieces);
    }
  }

  private Map<String, Setting> settings(SourceLine line, List<Piece> pieces, Section section) {
    Map<String, Setting> found = new LinkedHashMap<>();
    for (Piece piece : pieces) {
      switch (piece) {
        case Stray stray -> strayWord(line, stray, section);
        case Pair pair -> {
          Optional<Setting> setting = setting(line, pair, section);
          if (setting.isPresent()) {
            repeated(found.put(setting.get().key(), setting.get()), setting.get());
          }
        }
      }
    }
    return found;
  }

  private void pairs(SourceLine line, Pair first, List<Piece> pieces) {
    for (Section section : blocks) {
      if (section.title().equalsIgnoreCase(first.key())) {
        var head =
            new Setting(line.file(), line.lineAt(first.offset()), section.title(), first.value());
        if (first.missing()) {
          findings.fatal(head, "no name is given", "write " + section.title() + "=name");
        }
        Map<String, Setting> rest = settings(line, pieces.subList(1, pieces.size()), section);
        described.accept(new Block(section, head, rest));
        return;
      }
    }
    for (int i = 0; i < pieces.size(); i++) {
      switch (pieces.get(i)) {
        case Stray stray -> strayWord(line, stray, file);
        case Pair pair -> {
          Optional<Setting> setting = setting(line, pair, file);
          if (i > 0 && setting.isPresent()) {
            findings.error(
                setting.get(), "Slurm reads one setting a line", "write it on a line of its own");
          }
          setting.ifPresent(settings);
        }
      }
    }
  }

  private Optional<Setting> setting(SourceLine line, Pair pair, Section section) {
    int number = line.lineAt(pair.offset());
    KeyTable table = KeyTable.of(section);
    KeySpec spec = table.find(pair.key()).orElse(null);
    var setting =
        new Setting(line.file(), number, spec == null ? pair.key() : spec.name(), pair.value());
    if (spec == null || spec.status() == Status.UNKNOWN) {
      unknown(setting, section, table, spec == null ? "" : spec.note());
      return Optional.empty();
    }
    switch (spec.status()) {
      case DEPRECATED ->
          findings.warn(setting, spec.name() + " is deprecated", "write " + spec.note());
      case IGNORED -> findings.warn(setting, spec.name() + " has no effect any more", spec.note());
      case REMOVED -> findings.fatal(setting, spec.name() + " was removed", "write " + spec.note());
      case CURRENT, UNKNOWN -> {}
    }
    if (pair.missing()) {
      findings.fatal(setting, "no value is given", "write a value or drop the key");
      return Optional.empty();
    }
    String replaced = spec.aliases().get(pair.value().toLowerCase(Locale.ROOT));
    if (replaced != null) {
      findings.warn(
          setting, pair.value() + " is gone, " + replaced + " is used", "write " + replaced);
      return Optional.of(setting.withValue(replaced));
    }
    return ValueCheck.check(setting, spec, findings) ? Optional.of(setting) : Optional.empty();
  }

  private void unknown(Setting setting, Section section, KeyTable table, String note) {
    String where = section == file ? "in " + file.title() : "on a " + section.title() + " line";
    if (!note.isEmpty()) {
      boolean drop = note.startsWith("drop it");
      findings.error(
          setting,
          "unknown key " + where + ", ignored; Slurm refuses it",
          drop ? note : "write " + note);
      return;
    }
    if (section != file
        && blocks.stream().anyMatch(b -> b.title().equalsIgnoreCase(setting.key()))) {
      findings.fatal(
          setting,
          "a second " + setting.key() + " on the line of another " + section.title(),
          "remove the backslash at the end of the line before it");
      return;
    }
    Optional<String> nearest = findings.lists() ? table.nearest(setting.key()) : Optional.empty();
    if (nearest.isPresent()) {
      findings.error(
          setting,
          "unknown key " + where + ", ignored; Slurm refuses it",
          "did you mean " + nearest.get() + "?");
      return;
    }
    for (Section other : blocks) {
      Optional<KeySpec> elsewhere = KeyTable.of(other).find(setting.key());
      if (other != section && elsewhere.isPresent()) {
        findings.error(
            setting,
            "unknown key " + where + ", ignored; Slurm refuses it",
            "write it on a " + other.title() + " line");
        return;
      }
    }
    String help =
        KeyTable.of(file).find(setting.key()).isPresent()
            ? "write it on a line of its own"
            : "drop it or correct its name";
    findings.error(setting, "unknown key " + where + ", ignored; Slurm refuses it", help);
  }

  /** A line that does not begin with a pair. */
  private void strayLine(SourceLine line, Stray first, List<Piece> pieces) {
    for (Section section : blocks) {
      KeyTable table = KeyTable.of(section);
      boolean alike =
          pieces.size() > 1
              && pieces.stream()
                  .skip(1)
                  .allMatch(p -> p instanceof Pair pair && table.find(pair.key()).isPresent());
      if (alike) {
        at(
            line,
            first.offset(),
            "",
            line.text().strip(),
            "the line does not say what it describes",
            "write " + section.title() + "=" + first.word() + " at its start");
        return;
      }
    }
    Optional<String> nearest = isKey(first.word()) ? Optional.of(first.word()) : Optional.empty();
    String help =
        nearest.map(k -> "write " + k + "=value").orElse("write Key=value, or # before a comment");
    at(line, first.offset(), "", line.text().strip(), "not a setting", help);
  }

  /** A word that is no pair behind pairs. */
  private void strayWord(SourceLine line, Stray stray, Section section) {
    String bare = stray.word().replace("\"", "");
    String help =
        KeyTable.of(section)
            .find(bare)
            .map(KeySpec::name)
            .or(() -> findings.lists() ? KeyTable.of(section).nearest(bare) : Optional.empty())
            .map(key -> "did you mean " + key + "=value?")
            .orElse("put values with blanks between quotes");
    at(line, stray.offset(), "", stray.word(), "not a key=value pair", help);
  }

  private void repeated(@Nullable Setting earlier, Setting later) {
    if (earlier != null) {
      findings.warn(
          later,
          "given twice on one line, first as " + earlier.value(),
          "the last value is used; remove one");
    }
  }

  private boolean isKey(String word) {
    return KeyTable.of(file).find(word).isPresent()
        || blocks.stream()
            .anyMatch(
                b -> b.title().equalsIgnoreCase(word) || KeyTable.of(b).find(word).isPresent());
  }

  private void at(
      SourceLine line, int offset, String key, String value, String message, String suggestion) {
    findings.add(
        new ConfigFinding(
            Severity.FATAL, line.file(), line.lineAt(offset), key, value, message, suggestion));
  }
}
