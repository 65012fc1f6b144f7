package dev.yardmaster.console.theme;

/** Contrast of two colours as WCAG 2.2 defines it. */
public final class Contrast {
  /** What normal text needs against what lies behind it. */
  public static final double TEXT = 4.5;

  /** What bars, outlines and symbols need against what lies beside them. */
  public static final double GRAPHIC = 3.0;

  private Contrast() {}

  /**
   * The contrast ratio, from 1 (equal) to 21 (black on white).
   *
   * @param first a colour as {@code #rrggbb}
   * @param second a colour as {@code #rrggbb}
   */
  public static double ratio(String first, String second) {
    double a = luminance(first);
    double b = luminance(second);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  private static double luminance(String hex) {
    int rgb = Integer.parseInt(hex.substring(1), 16);
    return 0.2126 * linear(rgb >> 16 & 0xff)
        + 0.7152 * linear(rgb >> 8 & 0xff)
        + 0.0722 * linear(rgb & 0xff);
  }

  private static double linear(int channel) {
    double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
  }
}
