package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsageTest {
  @Test
  void optionsAreInColumnsByName() {
    assertThat(
            Usage.of("Usage: x", "x(1)", List.of("b beta:", "alpha", "delta::", "c gamma", "eta")))
        .isEqualTo(
            """
            Usage: x
            Options; x(1) tells what they mean:
                  --alpha          --delta[=X]  -c, --gamma
              -b, --beta=X         --eta\
            """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sbatch", "scancel", "sinfo", "sprio", "squeue"})
  void everyCommandTellsItsOptionsWithoutAController(String command) {
    Captured captured = new Captured().set("SLURM_CONF", "/nonexistent");
    assertThat(captured.run(command, "--help")).isZero();
    assertThat(captured.out()).startsWith("Usage: " + command + " [OPTION...]");
    assertThat(captured.out().lines()).allMatch(line -> line.length() < 110);
    assertThat(captured.out()).contains("-p, --partition");
    assertThat(captured.err()).isEmpty();
  }
}
