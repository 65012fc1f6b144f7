package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * A user as the accounting knows one (sacctmgr(1)).
 *
 * @param defaultAccount what a job is charged to that names no account
 * @param defaultWckey the workload characterization key of a job that names none; empty for none
 * @param wckeys the keys that the user's jobs may name, in order
 */
@RecordBuilder
public record AccountUser(
    String name,
    String defaultAccount,
    String defaultWckey,
    List<String> wckeys,
    AdminLevel adminLevel)
    implements AccountUserBuilder.With {
  public AccountUser {
    wckeys = wckeys.stream().sorted().distinct().toList();
  }

  /** A user without keys who may change nothing. */
  public static AccountUser of(String name, String defaultAccount) {
    return new AccountUser(name, defaultAccount, "", List.of(), AdminLevel.NONE);
  }

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
