package dev.yardmaster.model.text;

/** How long the texts of a submission may be. */
public final class TextLimits {
  /** The most characters of a job name, comment and the like. */
  public static final int MAX_TEXT = 1024;

  private TextLimits() {}

  /**
   * Gives the value back when it is short enough.
   *
   * @param option what the value was given for, as in "--comment"; named in the error
   * @throws NotationException when the value is longer than {@link #MAX_TEXT} characters
   */
  public static String check(String option, String value) {
    int length = value.codePointCount(0, value.length());
    if (length > MAX_TEXT) {
      throw new NotationException(
          option, value, 0, length + " characters", "use at most " + MAX_TEXT);
    }
    return value;
  }

  /** The first characters of a value, at most {@code max}, with an ellipsis where it was cut. */
  public static String cut(String value, int max) {
    if (value.codePointCount(0, value.length()) <= max || max < 1) {
      return value;
    }
    return value.substring(0, value.offsetByCodePoints(0, max - 1)) + "…";
  }
}
