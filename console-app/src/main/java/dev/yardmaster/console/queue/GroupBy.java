package dev.yardmaster.console.queue;

import dev.yardmaster.console.i18n.TextKey;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** By what the jobs of the queue are grouped; every job is in exactly one group. */
public enum GroupBy {
  NONE(QueueText.GROUP_NONE),
  USER(QueueText.COLUMN_USER),
  ACCOUNT(QueueText.COLUMN_ACCOUNT),
  PARTITION(QueueText.COLUMN_PARTITION),
  QOS(QueueText.COLUMN_QOS),
  STATE(QueueText.COLUMN_STATE),
  REASON(QueueText.GROUP_REASON),
  ARRAY(QueueText.GROUP_ARRAY);

  private final TextKey title;

  GroupBy(TextKey title) {
    this.title = title;
  }

  public TextKey title() {
    return title;
  }

  /** A name for settings. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The one with this name; {@link #NONE} for a name of another version. */
  public static GroupBy ofId(String id) {
    for (GroupBy by : values()) {
      if (by.id().equals(id)) {
        return by;
      }
    }
    return NONE;
  }

  /** The column that says the same of each job; null for none. */
  public @Nullable JobColumn column() {
    return switch (this) {
      case NONE, REASON, ARRAY -> null;
      case USER -> JobColumn.USER;
      case ACCOUNT -> JobColumn.ACCOUNT;
      case PARTITION -> JobColumn.PARTITION;
      case QOS -> JobColumn.QOS;
      case STATE -> JobColumn.STATE;
    };
  }

  /** The name of the group that a job is in; empty for those that have none. */
  public String key(Job job) {
    return switch (this) {
      case NONE -> "";
      case USER -> job.owner().user();
      case ACCOUNT -> job.owner().account();
      case PARTITION -> job.partition();
      case QOS -> job.owner().qos();
      case STATE -> job.state().name();
      case REASON -> job.state() == JobState.PENDING ? job.reason().text() : "";
      case ARRAY -> job.array() == null ? "" : Integer.toString(job.array().arrayJobId());
    };
  }

  /** What is said of the group that a job is in. */
  public String label(Job job, Terms terms) {
    String key = key(job);
    return switch (this) {
      case STATE -> terms.state(job.state());
      case REASON ->
          key.isEmpty() ? terms.text(QueueText.GROUP_NOT_WAITING) : terms.reason(job.reason());
      case ARRAY -> key.isEmpty() ? terms.text(QueueText.GROUP_NO_ARRAY) : key + " " + job.name();
      default -> Terms.orDash(key);
    };
  }
}
