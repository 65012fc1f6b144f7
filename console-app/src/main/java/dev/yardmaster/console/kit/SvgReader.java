package dev.yardmaster.console.kit;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Reads the small part of SVG that our own drawings use: path, rect, circle, line, polyline and
 * polygon, with fill, stroke, stroke-width and opacity on the shape or inherited from a group.
 */
final class SvgReader {
  private SvgReader() {}

  static Glyph read(InputStream in, String name) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      Element root = factory.newDocumentBuilder().parse(in).getDocumentElement();
      List<Glyph.Shape> shapes = new ArrayList<>();
      collect(root, shapes);
      return new Glyph(shapes);
    } catch (ParserConfigurationException | SAXException | NumberFormatException e) {
      throw new IOException(name + ": not a drawing we can read: " + e.getMessage(), e);
    }
  }

  private static void collect(Element parent, List<Glyph.Shape> shapes) {
    NodeList children = parent.getChildNodes();
    for (int i = 0; i < children.getLength(); i++) {
      if (children.item(i) instanceof Element element) {
        String path = path(element);
        if (!path.isEmpty()) {
          shapes.add(shape(element, path));
        }
        collect(element, shapes);
      }
    }
  }

  private static Glyph.Shape shape(Element element, String path) {
    boolean filled = !"none".equals(inherited(element, "fill", "black"));
    boolean stroked = !"none".equals(inherited(element, "stroke", "none"));
    double width = stroked ? Double.parseDouble(inherited(element, "stroke-width", "1")) : 0;
    double opacity = Double.parseDouble(inherited(element, "opacity", "1"));
    return new Glyph.Shape(path, filled, width, opacity);
  }

  private static String path(Element e) {
    return switch (e.getLocalName() == null ? e.getTagName() : e.getLocalName()) {
      case "path" -> e.getAttribute("d");
      case "rect" -> rect(e);
      case "circle" -> circle(number(e, "cx"), number(e, "cy"), number(e, "r"));
      case "line" ->
          format(
              "M%s %sL%s %s", number(e, "x1"), number(e, "y1"), number(e, "x2"), number(e, "y2"));
      case "polyline" -> "M" + e.getAttribute("points").strip();
      case "polygon" -> "M" + e.getAttribute("points").strip() + "Z";
      default -> "";
    };
  }

  private static String rect(Element e) {
    double x = number(e, "x");
    double y = number(e, "y");
    double w = number(e, "width");
    double h = number(e, "height");
    double r = number(e, "rx");
    if (r == 0) {
      return format("M%s %sh%sv%sh%sZ", x, y, w, h, -w);
    }
    return format("M%s %sh%sa%s %s 0 0 1 %s %sv%s", x + r, y, w - 2 * r, r, r, r, r, h - 2 * r)
        + format("a%s %s 0 0 1 %s %sh%s", r, r, -r, r, 2 * r - w)
        + format("a%s %s 0 0 1 %s %sv%s", r, r, -r, -r, 2 * r - h)
        + format("a%s %s 0 0 1 %s %sZ", r, r, r, -r);
  }

  private static String circle(double x, double y, double r) {
    return format("M%s %sa%s %s 0 1 0 %s 0a%s %s 0 1 0 %s 0Z", x - r, y, r, r, 2 * r, r, r, -2 * r);
  }

  private static String format(String pattern, Object... numbers) {
    return String.format(Locale.ROOT, pattern, numbers);
  }

  private static double number(Element e, String attribute) {
    String value = e.getAttribute(attribute);
    return value.isEmpty() ? 0 : Double.parseDouble(value);
  }

  private static String inherited(Element element, String attribute, String fallback) {
    for (org.w3c.dom.Node n = element; n instanceof Element e; n = n.getParentNode()) {
      if (!e.getAttribute(attribute).isEmpty()) {
        return e.getAttribute(attribute);
      }
    }
    return fallback;
  }
}
