package dev.yardmaster.journal;

/**
 * Another controller has taken control, so that this one may not write any more; nothing of what
 * was to be written is there, or it is there as the other one has taken it over.
 */
public final class LostControlException extends JournalException {
  private static final long serialVersionUID = 1L;

  public LostControlException(String message) {
    super(message);
  }
}
