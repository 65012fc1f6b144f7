import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Arc2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.RoundRectangle2D;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Draws the icons of this folder as PNG, with nothing but a JDK. It knows the part of SVG that the
 * icons keep to: path, rect and circle with fill, stroke, width, caps and dashes, on a square grid
 * given by viewBox.
 */
final class MakePng {
  private static final int[] SIZES = {16, 24, 32, 48, 64, 128, 256, 512};

  /** Up to this size the simple drawing of the application icon is the clearer one. */
  private static final int SMALL = 48;

  private static final Color DARK = new Color(0x1b1d24);
  private static final Color LIGHT = new Color(0xf7f8fa);

  private MakePng() {}

  public static void main(String[] arguments) throws Exception {
    System.setProperty("java.awt.headless", "true");
    if (arguments.length == 3 && arguments[0].equals("icons")) {
      applicationIcons(Path.of(arguments[1]), Path.of(arguments[2]));
    } else if (arguments.length == 3 && arguments[0].equals("sheet")) {
      sheet(Path.of(arguments[1]), Path.of(arguments[2]));
    } else {
      System.err.println("MakePng: icons FOLDER OUT, or sheet FOLDER FILE");
      System.exit(2);
    }
  }

  private static void applicationIcons(Path folder, Path out) throws Exception {
    Files.createDirectories(out);
    Drawing large = Drawing.read(folder.resolve("app/yardmaster.svg"));
    Drawing small = Drawing.read(folder.resolve("app/yardmaster-small.svg"));
    for (int size : SIZES) {
      BufferedImage image = new BufferedImage(size, size, BufferedImage.TYPE_INT_ARGB);
      paint(image, size <= SMALL ? small : large, 0, 0, size, Color.BLACK);
      write(image, out.resolve("yardmaster-" + size + ".png"));
    }
  }

  /** One picture with every icon at the small sizes on both themes, to look at. */
  private static void sheet(Path folder, Path file) throws Exception {
    List<Drawing> drawings = new ArrayList<>();
    drawings.add(Drawing.read(folder.resolve("app/yardmaster.svg")));
    drawings.add(Drawing.read(folder.resolve("app/yardmaster-small.svg")));
    try (DirectoryStream<Path> glyphs = Files.newDirectoryStream(folder.resolve("svg"), "*.svg")) {
      List<Path> sorted = new ArrayList<>();
      glyphs.forEach(sorted::add);
      sorted.sort(null);
      for (Path glyph : sorted) {
        drawings.add(Drawing.read(glyph));
      }
    }
    int[] sizes = {16, 24, 32, 96};
    int cell = 112;
    int row = 16 + 24 + 32 + 96 + 5 * 12;
    BufferedImage image =
        new BufferedImage(cell * drawings.size(), 2 * row, BufferedImage.TYPE_INT_ARGB);
    for (int theme = 0; theme < 2; theme++) {
      Graphics2D ground = image.createGraphics();
      ground.setColor(theme == 0 ? DARK : LIGHT);
      ground.fillRect(0, theme * row, image.getWidth(), row);
      ground.dispose();
      for (int i = 0; i < drawings.size(); i++) {
        int y = theme * row + 12;
        for (int size : sizes) {
          paint(
              image,
              drawings.get(i),
              i * cell + (cell - size) / 2,
              y,
              size,
              theme == 0 ? new Color(0xd7dae0) : new Color(0x3b4252));
          y += size + 12;
        }
      }
    }
    write(image, file);
  }

  private static void paint(
      BufferedImage image, Drawing drawing, int x, int y, int size, Color currentColor) {
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    graphics.translate(x, y);
    graphics.scale(size / drawing.grid(), size / drawing.grid());
    for (Mark mark : drawing.marks()) {
      graphics.setColor(mark.color() == null ? currentColor : mark.color());
      graphics.fill(mark.outline());
    }
    graphics.dispose();
  }

  private static void write(BufferedImage image, Path file) throws IOException {
    if (!ImageIO.write(image, "png", file.toFile())) {
      throw new IOException(file + ": this JDK writes no PNG");
    }
  }

  /** A filled outline; a null color is the colour of the text around. */
  private record Mark(Shape outline, Color color) {}

  /** An icon: its marks from back to front on a square grid. */
  private record Drawing(double grid, List<Mark> marks) {
    static Drawing read(Path file) throws Exception {
      Element svg =
          DocumentBuilderFactory.newDefaultInstance()
              .newDocumentBuilder()
              .parse(new File(file.toString()))
              .getDocumentElement();
      List<Mark> marks = new ArrayList<>();
      NodeList all = svg.getElementsByTagName("*");
      for (int i = 0; i < all.getLength(); i++) {
        Element element = (Element) all.item(i);
        Shape shape =
            switch (element.getTagName()) {
              case "path" -> new PathReader(element.getAttribute("d")).read();
              case "rect" -> rectangle(element);
              case "circle" -> circle(element);
              case "title", "desc" -> null;
              default ->
                  throw new IOException(
                      file
                          + ": <"
                          + element.getTagName()
                          + "> is not drawn; use path, rect, circle");
            };
        if (shape != null) {
          addMarks(element, shape, marks);
        }
      }
      return new Drawing(Double.parseDouble(svg.getAttribute("viewBox").split(" ")[2]), marks);
    }

    private static void addMarks(Element element, Shape shape, List<Mark> marks) {
      String fill = element.getAttribute("fill");
      if (!fill.equals("none")) {
        marks.add(new Mark(shape, color(fill)));
      }
      String stroke = element.getAttribute("stroke");
      if (!stroke.isEmpty()) {
        marks.add(new Mark(stroke(element).createStrokedShape(shape), color(stroke)));
      }
    }

    private static Color color(String text) {
      return text.startsWith("#") ? Color.decode(text) : null;
    }

    private static BasicStroke stroke(Element element) {
      int cap =
          element.getAttribute("stroke-linecap").equals("round")
              ? BasicStroke.CAP_ROUND
              : BasicStroke.CAP_BUTT;
      float[] dashes = null;
      if (element.hasAttribute("stroke-dasharray")) {
        String[] words = element.getAttribute("stroke-dasharray").split("[ ,]+");
        dashes = new float[words.length];
        for (int i = 0; i < words.length; i++) {
          dashes[i] = Float.parseFloat(words[i]);
        }
      }
      return new BasicStroke(
          (float) number(element, "stroke-width", 1),
          cap,
          BasicStroke.JOIN_ROUND,
          1,
          dashes,
          (float) number(element, "stroke-dashoffset", 0));
    }

    private static Shape rectangle(Element element) {
      double round = 2 * number(element, "rx", 0);
      return new RoundRectangle2D.Double(
          number(element, "x", 0),
          number(element, "y", 0),
          number(element, "width", 0),
          number(element, "height", 0),
          round,
          round);
    }

    private static Shape circle(Element element) {
      double r = number(element, "r", 0);
      return new Ellipse2D.Double(
          number(element, "cx", 0) - r, number(element, "cy", 0) - r, 2 * r, 2 * r);
    }

    private static double number(Element element, String name, double otherwise) {
      return element.hasAttribute(name)
          ? Double.parseDouble(element.getAttribute(name))
          : otherwise;
    }
  }

  /** Reads the d attribute of a path. */
  private static final class PathReader {
    private static final Pattern TOKEN =
        Pattern.compile("[A-Za-z]|[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?");

    private final List<String> tokens = new ArrayList<>();
    private final Path2D.Double path = new Path2D.Double(Path2D.WIND_NON_ZERO);
    private int next;
    private double x;
    private double y;
    private double startX;
    private double startY;

    PathReader(String data) {
      Matcher matcher = TOKEN.matcher(data);
      while (matcher.find()) {
        tokens.add(matcher.group());
      }
    }

    Shape read() {
      char command = 'M';
      while (next < tokens.size()) {
        if (Character.isLetter(tokens.get(next).charAt(0))) {
          command = tokens.get(next++).charAt(0);
        } else if (command == 'M' || command == 'm') {
          // Further pairs after a move are lines.
          command = command == 'M' ? 'L' : 'l';
        }
        apply(command);
      }
      return path;
    }

    private void apply(char command) {
      boolean relative = Character.isLowerCase(command);
      double fromX = relative ? x : 0;
      double fromY = relative ? y : 0;
      switch (Character.toUpperCase(command)) {
        case 'M' -> {
          moveTo(fromX + take(), fromY + take());
          path.moveTo(x, y);
          startX = x;
          startY = y;
        }
        case 'L' -> lineTo(fromX + take(), fromY + take());
        case 'H' -> lineTo(fromX + take(), y);
        case 'V' -> lineTo(x, fromY + take());
        case 'C' -> {
          double x1 = fromX + take();
          double y1 = fromY + take();
          double x2 = fromX + take();
          double y2 = fromY + take();
          moveTo(fromX + take(), fromY + take());
          path.curveTo(x1, y1, x2, y2, x, y);
        }
        case 'A' -> arc(relative);
        case 'Z' -> {
          path.closePath();
          moveTo(startX, startY);
        }
        default -> throw new IllegalArgumentException("path command " + command + " is not drawn");
      }
    }

    private double take() {
      return Double.parseDouble(tokens.get(next++));
    }

    private void moveTo(double toX, double toY) {
      x = toX;
      y = toY;
    }

    private void lineTo(double toX, double toY) {
      moveTo(toX, toY);
      path.lineTo(x, y);
    }

    /** A circular arc; the icons have no other. */
    private void arc(boolean relative) {
      double radius = take();
      take();
      take();
      boolean large = take() != 0;
      boolean clockwise = take() != 0;
      double toX = (relative ? x : 0) + take();
      double toY = (relative ? y : 0) + take();
      double half = Math.hypot(toX - x, toY - y) / 2;
      double r = Math.max(radius, half);
      double height = Math.sqrt(r * r - half * half) * (large == clockwise ? -1 : 1);
      double centreX = (x + toX) / 2 - height * (toY - y) / (2 * half);
      double centreY = (y + toY) / 2 + height * (toX - x) / (2 * half);
      double from = Math.toDegrees(Math.atan2(centreY - y, x - centreX));
      double to = Math.toDegrees(Math.atan2(centreY - toY, toX - centreX));
      double extent = to - from;
      if (clockwise && extent > 0) {
        extent -= 360;
      } else if (!clockwise && extent < 0) {
        extent += 360;
      }
      path.append(
          new Arc2D.Double(centreX - r, centreY - r, 2 * r, 2 * r, from, extent, Arc2D.OPEN)
              .getPathIterator(new AffineTransform()),
          true);
      moveTo(toX, toY);
    }
  }
}
