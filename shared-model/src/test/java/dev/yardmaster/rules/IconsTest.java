package dev.yardmaster.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

/** The icons keep to the one form that every reader of them relies on. */
class IconsTest {
  private static final Path ICONS = Checkout.root().resolve("icons");

  /** One path on the 16-unit grid, in the colour of the text around: what SVGPath can show. */
  private static final Pattern GLYPH =
      Pattern.compile(
          "<svg xmlns=\"http://www\\.w3\\.org/2000/svg\" viewBox=\"0 0 16 16\" width=\"16\""
              + " height=\"16\">\n"
              + "  <title>[A-Z][A-Za-z ]+</title>\n"
              + "  <path fill=\"currentColor\" d=\"M[-MmLlHhVvCcAaZz0-9. ]+z\"/>\n"
              + "</svg>\n");

  @Test
  void everyGlyphIsOnePathOfTheTextColourOnTheGrid() throws IOException {
    assertThat(in("svg"))
        .isNotEmpty()
        .allSatisfy(glyph -> assertThat(Files.readString(glyph)).matches(GLYPH));
  }

  @Test
  void theGlyphsThatAnIconFontLacksAreThere() throws IOException {
    assertThat(in("svg"))
        .extracting(glyph -> glyph.getFileName().toString())
        .contains(
            "node.svg",
            "gpu.svg",
            "link.svg",
            "block.svg",
            "switch.svg",
            "reservation.svg",
            "backfill.svg",
            "stranded.svg");
  }

  @Test
  void theApplicationIconIsDrawnInAllSizes() throws IOException {
    for (int size : List.of(16, 24, 32, 48, 64, 128, 256, 512)) {
      var image = ImageIO.read(ICONS.resolve("png/yardmaster-" + size + ".png").toFile());
      assertThat(image.getWidth()).as("width of the icon of %d pixels", size).isEqualTo(size);
      assertThat(image.getHeight()).as("height of the icon of %d pixels", size).isEqualTo(size);
    }
  }

  private static List<Path> in(String folder) throws IOException {
    try (Stream<Path> files = Files.list(ICONS.resolve(folder))) {
      return files.sorted().toList();
    }
  }
}
