package dev.yardmaster.console.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.OnFx;
import java.util.Objects;
import javafx.geometry.Bounds;
import javafx.scene.shape.SVGPath;
import org.junit.jupiter.api.Test;

class IconTest {
  @Test
  void everySymbolCanBeMade() throws Exception {
    OnFx.run(
        () -> {
          for (Icon icon : Icon.values()) {
            assertThat(icon.node().getStyleClass()).as("%s", icon).containsAnyOf("icon", "glyph");
          }
        });
  }

  @Test
  void ourDrawingsDoNotLeaveTheirGrid() throws Exception {
    OnFx.run(
        () -> {
          for (Icon icon : Icon.values()) {
            if (icon.glyph() != null) {
              checkGrid(Objects.requireNonNull(Glyphs.find(icon.glyph()), icon.glyph()));
            }
          }
        });
  }

  private static void checkGrid(Glyph glyph) {
    for (Glyph.Shape shape : glyph.shapes()) {
      SVGPath path = new SVGPath();
      path.setContent(shape.path());
      Bounds bounds = path.getLayoutBounds();
      assertThat(bounds.getMinX()).isGreaterThanOrEqualTo(-0.01);
      assertThat(bounds.getMinY()).isGreaterThanOrEqualTo(-0.01);
      assertThat(bounds.getMaxX()).isLessThanOrEqualTo(Glyph.GRID + 0.01);
      assertThat(bounds.getMaxY()).isLessThanOrEqualTo(Glyph.GRID + 0.01);
    }
  }
}
