package dev.yardmaster.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Everything slurm.conf says, in order, with DEFAULT lines applied. */
final class Statements {
  private final Findings findings;
  private final Map<String, List<Setting>> settings = new LinkedHashMap<>();
  private final Map<Section, List<Block>> blocks = new LinkedHashMap<>();
  private final Map<Section, Block> defaults = new LinkedHashMap<>();

  Statements(Findings findings) {
    this.findings = findings;
  }

  void add(Setting setting) {
    List<Setting> given = settings.computeIfAbsent(setting.key(), k -> new ArrayList<>());
    boolean several =
        KeyTable.of(Section.SLURM)
            .find(setting.key())
            .map(KeySpec::type)
            .filter(t -> t == KeySpec.Type.REPEATED)
            .isPresent();
    if (!given.isEmpty() && !several) {
      Setting earlier = given.getLast();
      findings.warn(
          setting,
          "given before as " + earlier.value() + " at " + where(earlier, setting),
          "the last value is used; remove one");
      given.clear();
    }
    given.add(setting);
  }

  void add(Block block) {
    Block earlier = defaults.get(block.section());
    boolean has = block.section() == Section.NODE || block.section() == Section.PARTITION;
    if (has && block.isDefault()) {
      defaults.put(block.section(), earlier == null ? block : block.over(earlier));
      return;
    }
    blocks
        .computeIfAbsent(block.section(), s -> new ArrayList<>())
        .add(has && earlier != null ? block.over(earlier) : block);
  }

  Optional<Setting> last(String key) {
    return Optional.ofNullable(settings.get(key)).map(List::getLast);
  }

  List<Setting> all(String key) {
    return settings.getOrDefault(key, List.of());
  }

  /** The value, or the key's default. */
  String text(String key) {
    return last(key).map(Setting::value).orElseGet(() -> defaultOf(key));
  }

  long number(String key) {
    return Values.whole(text(key), true).orElse(0);
  }

  boolean truth(String key) {
    return Values.bool(text(key)).orElse(false);
  }

  List<Block> blocks(Section section) {
    return blocks.getOrDefault(section, List.of());
  }

  /** Every setting as written, by canonical key; what may be given several times, with commas. */
  Map<String, String> written() {
    Map<String, String> written = new LinkedHashMap<>();
    settings.forEach(
        (key, given) ->
            written.put(key, String.join(",", given.stream().map(Setting::value).toList())));
    return written;
  }

  private static String defaultOf(String key) {
    return KeyTable.of(Section.SLURM).find(key).map(KeySpec::defaultValue).orElse("");
  }

  private static String where(Setting earlier, Setting later) {
    return earlier.file().equals(later.file())
        ? "line " + earlier.line()
        : earlier.file() + ":" + earlier.line();
  }

  /** A cluster's name as Slurm keeps it, in lower case; empty when none is given. */
  String clusterName() {
    return text("ClusterName").toLowerCase(Locale.ROOT);
  }
}
