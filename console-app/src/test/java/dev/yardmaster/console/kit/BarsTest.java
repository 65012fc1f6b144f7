package dev.yardmaster.console.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.yardmaster.console.OnFx;
import java.util.List;
import javafx.scene.Parent;
import javafx.scene.layout.Region;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BarsTest {
  @ParameterizedTest
  @CsvSource({"0.25, 50", "1, 200", "1.7, 200", "0, 2", "-3, 2", "NaN, 2"})
  void aBarIsFilledByItsShare(double share, double width) throws Exception {
    OnFx.run(
        () -> {
          Bar bar = new Bar(share, Tone.GOOD);
          bar.resize(200, 6);
          bar.layout();

          assertThat(((Region) bar.getChildrenUnmodifiable().getFirst()).getWidth())
              .isCloseTo(width, within(1.0));
        });
  }

  @Test
  void partsShareTheWidthByTheirAmounts() throws Exception {
    OnFx.run(
        () -> {
          StackedBar bar =
              new StackedBar(
                  List.of(
                      new StackedBar.Part("Age", "300", 300, 0),
                      new StackedBar.Part("QOS", "100", 100, 1)));
          bar.resize(400, 60);
          bar.layout();
          Parent strip = (Parent) bar.getChildrenUnmodifiable().getFirst();
          strip.layout();

          assertThat(strip.getChildrenUnmodifiable())
              .extracting(node -> ((Region) node).getWidth())
              .containsExactly(300.0, 100.0);
          assertThat(bar.getAccessibleText()).isEqualTo("Age 300, QOS 100");
        });
  }

  @Test
  void partsWithoutAmountDoNotDivideByZero() throws Exception {
    OnFx.run(
        () -> {
          StackedBar bar = new StackedBar(List.of(new StackedBar.Part("Age", "0", 0, 0)));
          bar.resize(400, 60);
          bar.layout();
          Parent strip = (Parent) bar.getChildrenUnmodifiable().getFirst();
          strip.layout();

          assertThat(((Region) strip.getChildrenUnmodifiable().getFirst()).getWidth()).isZero();
        });
  }

  @Test
  void aRangeMustFitItsLine() throws Exception {
    OnFx.run(
        () -> {
          Sparkline line = new Sparkline(new double[] {1, 2, 3}, Tone.ACCENT, "");

          assertThatThrownBy(() -> line.range(new double[] {1}, new double[] {2}))
              .hasMessage("a range of 1 to 1 points does not fit 3 values");
        });
  }

  @Test
  void aFlatLineAndAnEmptyLineCanBeLaidOut() throws Exception {
    OnFx.run(
        () -> {
          for (double[] values :
              List.of(new double[] {}, new double[] {4}, new double[] {4, 4, 4})) {
            Sparkline line = new Sparkline(values, Tone.ACCENT, "").level(4);
            line.resize(100, 40);
            line.layout();
            assertThat(line.getChildrenUnmodifiable()).hasSize(3);
          }
        });
  }
}
