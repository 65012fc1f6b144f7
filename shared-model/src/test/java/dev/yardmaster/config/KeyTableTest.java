package dev.yardmaster.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.config.KeySpec.Applies;
import dev.yardmaster.config.KeySpec.Status;
import dev.yardmaster.config.KeySpec.Type;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class KeyTableTest {
  @ParameterizedTest
  @EnumSource(Section.class)
  void everySectionHasKeysAndEachOnce(Section section) {
    Set<String> names = new HashSet<>();
    for (KeySpec spec : KeyTable.of(section).keys()) {
      assertThat(names.add(spec.name().toLowerCase(Locale.ROOT))).as(spec.name()).isTrue();
      assertThat(spec.section()).isEqualTo(section);
    }
    assertThat(names).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource(Section.class)
  void everyDefaultIsAnAllowedValue(Section section) {
    for (KeySpec spec : KeyTable.of(section).keys()) {
      if (!spec.defaultValue().isEmpty()) {
        assertThat(ValueCheck.wrong(spec.defaultValue(), spec))
            .as("%s=%s", spec.name(), spec.defaultValue())
            .isEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Section.class)
  void everyChoiceHasValuesAndEveryOldKeyAnAdvice(Section section) {
    for (KeySpec spec : KeyTable.of(section).keys()) {
      boolean choice =
          Set.of(Type.CHOICE, Type.CHOICES, Type.FLAGS, Type.OPEN).contains(spec.type());
      assertThat(choice && spec.values().isEmpty()).as(spec.name()).isFalse();
      assertThat(spec.status() != Status.CURRENT && spec.note().isEmpty())
          .as(spec.name())
          .isFalse();
      assertThat(spec.aliases().values()).allMatch(spec.values()::contains);
    }
  }

  @Test
  void rowsHoldWhatTheManualSays() {
    KeySpec spec = KeyTable.of(Section.SLURM).find("schedulertype").orElseThrow();
    assertThat(spec.name()).isEqualTo("SchedulerType");
    assertThat(spec.type()).isEqualTo(Type.CHOICE);
    assertThat(spec.values()).containsExactly("sched/backfill", "sched/builtin");
    assertThat(spec.defaultValue()).isEqualTo("sched/backfill");
    assertThat(spec.applies()).isEqualTo(Applies.RECONFIGURE);
    assertThat(KeyTable.of(Section.SLURM).find("SlurmctldPort").orElseThrow().applies())
        .isEqualTo(Applies.RESTART);
    assertThat(KeyTable.of(Section.SLURM).find("SelectType").orElseThrow().aliases())
        .containsEntry("select/cons_res", "select/cons_tres");
  }

  @ParameterizedTest
  @CsvSource({
    "SLURM, SlurmctldHots, SlurmctldHost",
    "SLURM, slurmctldport_, SlurmctldPort",
    "NODE, RealMem, RealMemory",
    "NODE, Feautre, Feature",
    "PARTITION, MaxTimes, MaxTime",
    "GRES, Core, Cores",
  })
  void nearestKeyIsFound(Section section, String word, String key) {
    assertThat(KeyTable.of(section).nearest(word)).contains(key);
  }

  @ParameterizedTest
  @CsvSource({"SLURM, Banana", "NODE, x", "GRES, ''", "SLURM, CheckpointTypes"})
  void farWordsHaveNoNearestKey(Section section, String word) {
    assertThat(KeyTable.of(section).nearest(word)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"abc, abc, 0", "abc, acb, 1", "abc, abd, 1", "abc, '', 3", "kitten, sitting, 3"})
  void distanceCountsEdits(String a, String b, int distance) {
    assertThat(Nearest.distance(a, b)).isEqualTo(distance);
  }
}
