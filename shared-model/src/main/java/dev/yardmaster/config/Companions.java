package dev.yardmaster.config;

import dev.yardmaster.model.Immutable;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the files that hold nothing but settings: cgroup.conf(5) and slurmdbd.conf(5). */
final class Companions {
  private Companions() {}

  /** The settings by canonical key. */
  static SortedMap<String, String> read(
      Path file, Section section, String clusterName, Findings findings) {
    SortedMap<String, Setting> settings = new TreeMap<>();
    var parser =
        new LineParser(
            section,
            EnumSet.noneOf(Section.class),
            findings,
            s -> put(settings, s, findings),
            b -> {});
    ConfFile.read(file, findings, () -> clusterName, parser::parse);
    SortedMap<String, String> values = new TreeMap<>();
    settings.forEach((key, setting) -> values.put(key, setting.value()));
    return Immutable.sortedMap(values);
  }

  private static void put(SortedMap<String, Setting> settings, Setting setting, Findings findings) {
    Setting earlier = settings.put(setting.key(), setting);
    if (earlier != null) {
      findings.warn(
          setting,
          "given before as " + earlier.value() + " on line " + earlier.line(),
          "the last value is used; remove one");
    }
  }
}
