package dev.yardmaster.console.theme;

/**
 * Colours as people see them who lack one kind of cone, after Machado, Oliveira and Fernandes
 * (2009), compared in the space OKLab of Ottosson (2020).
 */
enum ColourVision {
  COMMON(1, 0, 0, 0, 1, 0, 0, 0, 1),
  PROTANOPIA(
      0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998),
  DEUTERANOPIA(
      0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881),
  TRITANOPIA(
      1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900);

  private static final double[] TO_CONES = {
    0.4122214708, 0.5363325363, 0.0514459929,
    0.2119034982, 0.6806995451, 0.1073969566,
    0.0883024619, 0.2817188376, 0.6299787005
  };
  private static final double[] TO_LAB = {
    0.2104542553, 0.7936177850, -0.0040720468,
    1.9779984951, -2.4285922050, 0.4505937099,
    0.0259040371, 0.7827717662, -0.8086757660
  };

  private final double[] matrix;

  ColourVision(double... matrix) {
    this.matrix = matrix;
  }

  /** How different two colours look; about 0.02 is just noticeable. */
  double distance(String first, String second) {
    double[] a = seen(first);
    double[] b = seen(second);
    return Math.sqrt(
        Math.pow(a[0] - b[0], 2) + Math.pow(a[1] - b[1], 2) + Math.pow(a[2] - b[2], 2));
  }

  private double[] seen(String hex) {
    int rgb = Integer.parseInt(hex.substring(1), 16);
    double[] light = {linear(rgb >> 16 & 0xff), linear(rgb >> 8 & 0xff), linear(rgb & 0xff)};
    double[] cones = times(TO_CONES, clamped(times(matrix, light)));
    for (int i = 0; i < 3; i++) {
      cones[i] = Math.cbrt(cones[i]);
    }
    return times(TO_LAB, cones);
  }

  private static double linear(int channel) {
    double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
  }

  private static double[] clamped(double[] v) {
    return new double[] {Math.clamp(v[0], 0, 1), Math.clamp(v[1], 0, 1), Math.clamp(v[2], 0, 1)};
  }

  private static double[] times(double[] m, double[] v) {
    double[] product = new double[3];
    for (int row = 0; row < 3; row++) {
      product[row] = m[3 * row] * v[0] + m[3 * row + 1] * v[1] + m[3 * row + 2] * v[2];
    }
    return product;
  }
}
