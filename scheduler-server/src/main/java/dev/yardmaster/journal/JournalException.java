package dev.yardmaster.journal;

/** The store of the journal failed or cannot be used; the message names the file and the cause. */
public class JournalException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public JournalException(String message) {
    super(message);
  }

  public JournalException(String message, Throwable cause) {
    super(message, cause);
  }
}
