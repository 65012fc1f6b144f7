package dev.yardmaster.console.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javafx.geometry.Bounds;
import javafx.scene.shape.SVGPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SvgReaderTest {
  private static Glyph read(String content) throws IOException {
    String svg =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 16 16\">" + content + "</svg>";
    return SvgReader.read(
        new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)), "test.svg");
  }

  @ParameterizedTest
  @CsvSource({
    "<rect x='2' y='3' width='5' height='7'/>, 2, 3, 5, 7",
    "<rect x='2' y='3' width='5' height='7' rx='1'/>, 2, 3, 5, 7",
    "<circle cx='8' cy='9' r='3'/>, 5, 6, 6, 6",
    "<path d='M1 2h4v6z'/>, 1, 2, 4, 6",
    "'<polygon points=\"1,1 5,1 5,9\"/>', 1, 1, 4, 8"
  })
  void shapesKeepTheirBounds(String shape, double x, double y, double w, double h)
      throws IOException {
    String content = shape.replace('\'', '"');
    SVGPath path = new SVGPath();
    path.setContent(read(content).shapes().getFirst().path());
    Bounds bounds = path.getLayoutBounds();

    assertThat(bounds.getMinX()).isCloseTo(x, within(0.05));
    assertThat(bounds.getMinY()).isCloseTo(y, within(0.05));
    assertThat(bounds.getWidth()).isCloseTo(w, within(0.05));
    assertThat(bounds.getHeight()).isCloseTo(h, within(0.05));
  }

  @Test
  void fillAndStrokeComeFromTheShapeOrTheGroupAround() throws IOException {
    Glyph glyph =
        read(
            "<g fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\"><path d=\"M1"
                + " 1h4\"/><path d=\"M1 1h4\" fill=\"currentColor\" stroke=\"none\"/></g>");

    assertThat(glyph.shapes())
        .containsExactly(
            new Glyph.Shape("M1 1h4", false, 1.5, 1), new Glyph.Shape("M1 1h4", true, 0, 1));
  }

  @Test
  void aDamagedFileIsNamed() {
    assertThatThrownBy(() -> read("<path d="))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("test.svg: not a drawing");
  }
}
