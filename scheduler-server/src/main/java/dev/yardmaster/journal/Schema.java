package dev.yardmaster.journal;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/**
 * Brings a database to its present form. One that is there already, as at every start but the first
 * of a release, costs a query, and not the tool that would find the same.
 */
public final class Schema {
  private Schema() {}

  /**
   * Makes or upgrades the tables of a database.
   *
   * @param place the file
   * @param folder of the steps among the resources
   * @param latest number of the last step
   * @throws org.flywaydb.core.api.FlywayException when that cannot be done
   * @throws JournalException when a later release has written the file
   */
  public static void upgrade(DataSource source, Path place, String folder, int latest) {
    if (!isPresent(source, place, latest)) {
      Flyway.configure().dataSource(source).locations("classpath:" + folder).load().migrate();
    }
  }

  /** Whether all steps up to the last have been done. */
  private static boolean isPresent(DataSource source, Path place, int latest) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select count(*), max(cast(version as integer)), min(success)"
                    + " from flyway_schema_history")) {
      if (row.next() && row.getInt(2) > latest) {
        throw new JournalException(
            place
                + " has form "
                + row.getInt(2)
                + " of a later release, and this one knows forms up to "
                + latest
                + "; start that release, or a copy of the state from before");
      }
      return row.getInt(1) == latest && row.getInt(2) == latest && row.getInt(3) == 1;
    } catch (SQLException e) {
      // There is no such table, or no such file: the other way says what is wrong, or makes it.
      return false;
    }
  }
}
