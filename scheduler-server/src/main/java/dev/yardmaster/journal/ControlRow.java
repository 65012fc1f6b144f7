package dev.yardmaster.journal;

import org.jdbi.v3.core.Handle;

/** The few numbers beside the events: who may write, and how far a replicated journal has come. */
final class ControlRow {
  private static final String EPOCH = "epoch";
  private static final String APPLIED = "applied";

  private ControlRow() {}

  /**
   * Takes control of a journal that several share: only who has the latest number may write.
   *
   * @param handle of the writer, outside of a transaction
   */
  static long claim(Handle handle, String holder) {
    return handle.inTransaction(
        transaction -> {
          transaction.execute(
              "insert into control(key, value, holder) values (?, 1, ?) on conflict(key)"
                  + " do update set value = value + 1, holder = excluded.holder",
              EPOCH,
              holder);
          return transaction
              .createQuery("select value from control where key = ?")
              .bind(0, EPOCH)
              .mapTo(Long.class)
              .one();
        });
  }

  /**
   * To be asked within each transaction that writes.
   *
   * @throws LostControlException when another one has claimed it since
   */
  static void check(Handle handle, long epoch) {
    handle
        .createQuery("select value, holder from control where key = ?")
        .bind(0, EPOCH)
        .map((r, c) -> r.getLong(1) == epoch ? "" : r.getString(2))
        .findFirst()
        .filter(other -> !other.isEmpty())
        .ifPresent(
            other -> {
              throw new LostControlException("controller " + other + " has taken control");
            });
  }

  /** Notes in the transaction of the events which entry of the log they came with. */
  static void applied(Handle handle, Position position) {
    handle.execute(
        "insert into control(key, value, holder) values (?, ?, ?) on conflict(key)"
            + " do update set value = excluded.value, holder = excluded.holder",
        APPLIED,
        position.index(),
        Long.toString(position.term()));
  }

  static Position applied(Handle handle) {
    return handle
        .createQuery("select value, holder from control where key = ?")
        .bind(0, APPLIED)
        .map((r, c) -> new Position(Long.parseLong(r.getString(2)), r.getLong(1)))
        .findFirst()
        .orElse(Position.NONE);
  }
}
