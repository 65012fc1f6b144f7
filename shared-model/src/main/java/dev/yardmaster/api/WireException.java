package dev.yardmaster.api;

/** A message that is well-formed but says something this version does not know. */
public final class WireException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WireException(String message) {
    super(message);
  }
}
