package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place in the tree of accounts (sacctmgr(1)): an account, or a user in an account, perhaps for
 * one partition only.
 *
 * @param user empty for the account itself
 * @param partition empty for every partition
 * @param parent the association above; 0 for the root
 * @param shares Fairshare; {@link #PARENT} when it takes part as its parent does
 * @param priority feeds the association factor; null when it has that of its parent
 * @param defaultQos null when it has that of its parent
 * @param qos the QOS it may use; null when they are those of its parent
 * @param qosChanges what it may use beyond its parent's ({@code +x}) or not ({@code -x}), while it
 *     has no list of its own
 */
@RecordBuilder
public record Association(
    int id,
    String account,
    String user,
    String partition,
    int parent,
    int shares,
    @Nullable Long priority,
    @Nullable String defaultQos,
    @Nullable List<String> qos,
    List<String> qosChanges,
    Limits limits,
    String comment)
    implements AssociationBuilder.With {
  /** {@code Fairshare=parent}. */
  public static final int PARENT = Integer.MAX_VALUE;

  public Association {
    qos = qos == null ? null : List.copyOf(qos);
    qosChanges = List.copyOf(qosChanges);
  }

  /** An association with Slurm's defaults. */
  public static Association of(int id, String account, String user, int parent) {
    return new Association(
        id, account, user, "", parent, 1, null, null, null, List.of(), Limits.NONE, "");
  }

  /** Whether it is that of a user, not of an account. */
  public boolean isUser() {
    return !user.isEmpty();
  }

  public boolean sharesParent() {
    return shares == PARENT;
  }
}
