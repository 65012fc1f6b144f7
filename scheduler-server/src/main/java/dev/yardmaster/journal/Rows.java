package dev.yardmaster.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionException;
import org.jspecify.annotations.Nullable;

/**
 * Rows to be written in one transaction, by statements that are prepared once and kept with their
 * connection: what is written thousands of times a second. Used by the one thread that has the
 * handle.
 */
public final class Rows {
  private final Connection connection;
  private final Map<String, Pending> statements = new LinkedHashMap<>();

  private static final class Pending {
    @Nullable PreparedStatement statement;
    int rows;
  }

  /**
   * @param handle whose connection is written to; closing it ends the statements
   * @param order the statements in the order in which their rows are written
   */
  public Rows(Handle handle, String... order) {
    this.connection = handle.getConnection();
    for (String sql : order) {
      statements.put(sql, new Pending());
    }
  }

  /**
   * Adds a row, which {@link #write} writes.
   *
   * @param sql one of the statements
   * @param values of the parameters: numbers, texts, bytes or null
   * @throws org.jdbi.v3.core.JdbiException when the statement is wrong
   */
  public void add(String sql, @Nullable Object... values) {
    Pending pending = statements.get(sql);
    if (pending == null) {
      throw new IllegalArgumentException("not among the statements: " + sql);
    }
    try {
      PreparedStatement statement = pending.statement;
      if (statement == null) {
        statement = connection.prepareStatement(sql);
        pending.statement = statement;
      }
      for (int i = 0; i < values.length; i++) {
        bind(statement, i + 1, values[i]);
      }
      statement.addBatch();
      pending.rows++;
    } catch (SQLException e) {
      throw new TransactionException(e.getMessage(), e);
    }
  }

  private static void bind(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    switch (value) {
      case null -> statement.setObject(index, null);
      case Integer number -> statement.setInt(index, number);
      case Long number -> statement.setLong(index, number);
      case String text -> statement.setString(index, text);
      case byte[] bytes -> statement.setBytes(index, bytes);
      default -> throw new IllegalArgumentException("no value of a row: " + value.getClass());
    }
  }

  /**
   * Writes what was added, statement by statement.
   *
   * @throws org.jdbi.v3.core.JdbiException when that fails; nothing waits any more then
   */
  public void write() {
    try {
      for (Pending pending : statements.values()) {
        PreparedStatement statement = pending.statement;
        if (statement != null && pending.rows > 0) {
          pending.rows = 0;
          statement.executeBatch();
        }
      }
    } catch (SQLException e) {
      forget();
      throw new TransactionException(e.getMessage(), e);
    }
  }

  /** Drops what was added and not written. */
  public void forget() {
    for (Pending pending : statements.values()) {
      PreparedStatement statement = pending.statement;
      pending.rows = 0;
      try {
        if (statement != null) {
          statement.clearBatch();
        }
      } catch (SQLException e) {
        throw new TransactionException(e.getMessage(), e);
      }
    }
  }
}
