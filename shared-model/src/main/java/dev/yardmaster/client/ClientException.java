package dev.yardmaster.client;

import org.jspecify.annotations.Nullable;

/**
 * A request to the controller that did not succeed. The message is one line that says what and
 * where, and what may help.
 */
public abstract sealed class ClientException extends Exception {
  private static final long serialVersionUID = 1L;

  private ClientException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The message; never null here. */
  public final String text() {
    String message = getMessage();
    return message == null ? toString() : message;
  }

  /** It is not known where the controller is: no configuration file, or one that does not say. */
  public static final class NotConfigured extends ClientException {
    private static final long serialVersionUID = 1L;

    public NotConfigured(String message) {
      super(message, null);
    }
  }

  /** The controller cannot be reached, or did not answer in time. */
  public static final class Unreachable extends ClientException {
    private static final long serialVersionUID = 1L;

    private final boolean late;

    public Unreachable(String message, @Nullable Throwable cause) {
      this(message, cause, false);
    }

    /**
     * @param late the request was sent and no answer came in time, so that it may have had its
     *     effect
     */
    public Unreachable(String message, @Nullable Throwable cause, boolean late) {
      super(message, cause);
      this.late = late;
    }

    /** Whether the request may have had its effect. */
    public boolean isLate() {
      return late;
    }
  }

  /** The controller does not accept who is asking. */
  public static final class NotAuthenticated extends ClientException {
    private static final long serialVersionUID = 1L;

    public NotAuthenticated(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The controller is of a version that this one does not understand. */
  public static final class WrongVersion extends ClientException {
    private static final long serialVersionUID = 1L;

    public WrongVersion(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The controller failed while it handled the request. */
  public static final class Failed extends ClientException {
    private static final long serialVersionUID = 1L;

    public Failed(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The controller understood the request and says no; nothing was changed. */
  public static final class Refused extends ClientException {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final int number;
    private final String slurmText;
    private final @Nullable String detail;

    /**
     * @param name the error's name in the controller
     * @param number Slurm's error number
     * @param slurmText Slurm's words for it
     * @param detail the thing, its value and what would be right; null when there is no more to say
     */
    public Refused(String name, int number, String slurmText, @Nullable String detail) {
      super(detail == null ? slurmText : slurmText + ": " + detail, null);
      this.name = name;
      this.number = number;
      this.slurmText = slurmText;
      this.detail = detail;
    }

    /** The error's name in the controller, for example {@code INVALID_JOB_ID}. */
    public String name() {
      return name;
    }

    public int number() {
      return number;
    }

    /** Slurm's words for the error, without the detail. */
    public String slurmText() {
      return slurmText;
    }

    public @Nullable String detail() {
      return detail;
    }
  }
}
