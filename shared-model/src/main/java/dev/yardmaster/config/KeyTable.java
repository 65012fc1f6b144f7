package dev.yardmaster.config;

import dev.yardmaster.config.KeySpec.Applies;
import dev.yardmaster.config.KeySpec.Status;
import dev.yardmaster.config.KeySpec.Type;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The keys of one section. The rows of all sections are in {@code keys.txt} beside this class; the
 * facts are those of Slurm 26.11.
 */
public final class KeyTable {
  private static final Map<Section, KeyTable> TABLES = load();

  private final Map<String, KeySpec> byName = new LinkedHashMap<>();

  /** The names that are worth a suggestion. */
  private final List<String> offered = new ArrayList<>();

  private KeyTable() {}

  public static KeyTable of(Section section) {
    return TABLES.getOrDefault(section, new KeyTable());
  }

  /** The row of a key, however its letters are cased. */
  public Optional<KeySpec> find(String key) {
    return Optional.ofNullable(byName.get(key.toLowerCase(Locale.ROOT)));
  }

  /** All rows in the order of the manual's table. */
  public Collection<KeySpec> keys() {
    return Collections.unmodifiableCollection(byName.values());
  }

  /** The current key that is most like {@code key}; empty when none is like it. */
  public Optional<String> nearest(String key) {
    return Nearest.of(key, offered);
  }

  private static Map<Section, KeyTable> load() {
    Map<Section, KeyTable> tables = new EnumMap<>(Section.class);
    Section section = Section.SLURM;
    for (String row : text().split("\n", -1)) {
      if (row.startsWith("[")) {
        String title = row.substring(1, row.indexOf(']'));
        for (Section candidate : Section.values()) {
          if (candidate.title().equals(title)) {
            section = candidate;
          }
        }
      } else if (!row.isBlank() && !row.startsWith("#")) {
        KeySpec spec = row(section, row.split("\\|", -1));
        tables.computeIfAbsent(section, s -> new KeyTable()).add(spec);
      }
    }
    return tables;
  }

  private void add(KeySpec spec) {
    byName.put(spec.name().toLowerCase(Locale.ROOT), spec);
    if (spec.status() == Status.CURRENT || spec.status() == Status.DEPRECATED) {
      offered.add(spec.name());
    }
  }

  private static KeySpec row(Section section, String[] cells) {
    List<String> values = new ArrayList<>();
    SortedMap<String, String> aliases = new TreeMap<>();
    for (String value : cells[2].strip().split(" ")) {
      int arrow = value.indexOf('>');
      if (arrow > 0) {
        aliases.put(value.substring(0, arrow).toLowerCase(Locale.ROOT), value.substring(arrow + 1));
      } else if (!value.isEmpty()) {
        values.add(value);
      }
    }
    return new KeySpec(
        section,
        cells[0].strip(),
        Type.valueOf(upper(cells[1])),
        values,
        aliases,
        cells[3].strip(),
        Applies.valueOf(upper(cells[4])),
        Status.valueOf(upper(cells[5])),
        cells[6].strip());
  }

  private static String upper(String cell) {
    return cell.strip().toUpperCase(Locale.ROOT);
  }

  private static String text() {
    try (InputStream in = KeyTable.class.getResourceAsStream("keys.txt")) {
      if (in == null) {
        throw new IllegalStateException("keys.txt is missing from the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
