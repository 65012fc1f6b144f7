package dev.yardmaster.journal;

/** A record of the journal is not what was once written; the message says which one and where. */
public final class DamagedRecordException extends JournalException {
  private static final long serialVersionUID = 1L;

  private final String record;

  DamagedRecordException(String place, String record, String what) {
    super(
        place
            + ": record "
            + record
            + " is damaged ("
            + what
            + "); nothing was skipped; restore the file from a copy");
    this.record = record;
  }

  /** Name of the record, for example {@code event 17} or {@code snapshot job 42}. */
  public String record() {
    return record;
  }
}
