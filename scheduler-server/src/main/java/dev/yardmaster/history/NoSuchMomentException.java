package dev.yardmaster.history;

/** A moment that cannot be opened; the message is one line that says why and what can be. */
public final class NoSuchMomentException extends Exception {
  private static final long serialVersionUID = 1L;

  NoSuchMomentException(String message) {
    super(message);
  }
}
