package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * A user as the accounting knows one (sacctmgr(1)).
 *
 * @param defaultAccount what a job is charged to that names no account
 */
@RecordBuilder
public record AccountUser(
    String name, String defaultAccount, String defaultWckey, AdminLevel adminLevel)
    implements AccountUserBuilder.With {
  /** What a user may change of the accounting. */
  public enum AdminLevel {
    NONE("None"),
    OPERATOR("Operator"),
    ADMINISTRATOR("Administrator");

    private final String text;

    AdminLevel(String text) {
      this.text = text;
    }

    /** As sacctmgr prints it. */
    public String text() {
      return text;
    }
  }
}
