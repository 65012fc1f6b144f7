package dev.yardmaster.console.queue;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;
import static java.util.Comparator.comparingLong;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsLast;

import dev.yardmaster.console.connect.JobSize;
import dev.yardmaster.console.i18n.Formats;
import dev.yardmaster.console.i18n.TextKey;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A column of the queue. */
public enum JobColumn {
  /** The id as users write it; arrays tell how many tasks they stand for. */
  ID(QueueText.COLUMN_ID, Kind.CODE, 92, true, comparingInt(Job::id)),
  NAME(QueueText.COLUMN_NAME, Kind.TEXT, 112, true, byText(Job::name)),
  USER(QueueText.COLUMN_USER, Kind.TEXT, 68, true, byText(job -> job.owner().user())),
  ACCOUNT(QueueText.COLUMN_ACCOUNT, Kind.TEXT, 84, true, byText(job -> job.owner().account())),
  PARTITION(QueueText.COLUMN_PARTITION, Kind.TEXT, 80, true, byText(Job::partition)),
  QOS(QueueText.COLUMN_QOS, Kind.TEXT, 72, false, byText(job -> job.owner().qos())),
  STATE(QueueText.COLUMN_STATE, Kind.TEXT, 92, true, comparing(Job::state)),
  GPUS(QueueText.COLUMN_GPUS, Kind.NUMBER, 46, true, comparingLong(JobSize::gpus)),
  CPUS(QueueText.COLUMN_CPUS, Kind.NUMBER, 52, false, comparingLong(JobSize::cpus)),
  NODES(QueueText.COLUMN_NODES, Kind.NUMBER, 54, false, comparingInt(JobSize::nodes)),
  LIMIT(QueueText.COLUMN_LIMIT, Kind.NUMBER, 68, true, comparingLong(JobColumn::limit)),
  /** How long it has waited or run; changes with the clock. */
  ELAPSED(QueueText.COLUMN_ELAPSED, Kind.NUMBER, 70, true, comparing(JobColumn::since).reversed()),
  PRIORITY(QueueText.COLUMN_PRIORITY, Kind.NUMBER, 70, false, comparingLong(Job::priority)),
  /** When it started; of one that waits what Slurm plans, which may be too early. */
  START(
      QueueText.COLUMN_START,
      Kind.NUMBER,
      122,
      true,
      comparing(JobColumn::start, nullsLast(naturalOrder()))),
  SUBMITTED(QueueText.COLUMN_SUBMITTED, Kind.NUMBER, 88, false, comparing(Job::submitted)),
  COMMENT(QueueText.COLUMN_COMMENT, Kind.TEXT, 150, false, byText(Job::comment)),
  /** Last, because the last column takes the room that is left. */
  REASON(QueueText.COLUMN_REASON, Kind.TEXT, 216, true, comparing(Job::reason));

  /** How a column is written. */
  public enum Kind {
    CODE,
    TEXT,
    NUMBER
  }

  private final TextKey title;
  private final Kind kind;
  private final double width;
  private final boolean standard;
  private final Comparator<Job> order;

  JobColumn(TextKey title, Kind kind, double width, boolean standard, Comparator<Job> order) {
    this.title = title;
    this.kind = kind;
    this.width = width;
    this.standard = standard;
    this.order = order.thenComparingInt(Job::id);
  }

  public TextKey title() {
    return title;
  }

  public Kind kind() {
    return kind;
  }

  /** Its width in pixels at the design's font size. */
  public double width() {
    return width;
  }

  /** Whether it is shown unless the user chose otherwise. */
  public boolean standard() {
    return standard;
  }

  /** A name for settings. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The order of this column; jobs that are equal in it are ordered by id. */
  public Comparator<Job> order() {
    return order;
  }

  /** What the column says of a job. */
  public String text(Job job, Terms terms, Instant now) {
    return switch (this) {
      case ID -> {
        ArrayInfo array = job.array();
        yield array == null || array.taskId() != null
            ? job.displayId()
            : terms.text(
                QueueText.ID_WITH_TASKS, Integer.toString(array.arrayJobId()), job.taskCount());
      }
      case NAME -> job.name();
      case USER -> job.owner().user();
      case ACCOUNT -> Terms.orDash(job.owner().account());
      case PARTITION -> String.join(",", job.partitions());
      case QOS -> Terms.orDash(job.owner().qos());
      case STATE -> terms.state(job);
      case GPUS -> count(terms, JobSize.gpus(job));
      case CPUS -> count(terms, JobSize.cpus(job));
      case NODES -> count(terms, JobSize.nodes(job));
      case LIMIT -> terms.limit(job.timeLimitMinutes());
      case ELAPSED -> terms.formats().duration(Terms.elapsed(job, now));
      case PRIORITY ->
          job.state() == JobState.PENDING ? terms.formats().count(job.priority()) : Formats.UNKNOWN;
      case START ->
          isPlanned(job)
              ? terms.text(QueueText.START_PLANNED, terms.instant(start(job), now))
              : terms.instant(start(job), now);
      case REASON -> terms.reason(job);
      case SUBMITTED -> terms.instant(job.submitted(), now);
      case COMMENT -> job.comment();
    };
  }

  /** What hovering over the cell tells; empty for nothing more than the cell. */
  public String hover(Job job, Terms terms) {
    return switch (this) {
      case ID ->
          isArray(job) ? terms.text(QueueText.HOVER_TASKS, job.displayId(), job.taskCount()) : "";
      case NAME -> job.name();
      case STATE -> job.state().code() + " " + job.state().name();
      case START ->
          isPlanned(job)
              ? terms.text(QueueText.HOVER_PLANNED, terms.full(start(job)))
              : start(job) == null ? "" : terms.full(start(job));
      case ELAPSED -> terms.text(QueueText.HOVER_SINCE, terms.full(since(job)));
      case SUBMITTED -> terms.full(job.submitted());
      case REASON ->
          job.reasonText().isEmpty()
              ? job.reason().text()
              : job.reason().text() + ": " + job.reasonText();
      default -> "";
    };
  }

  private static boolean isArray(Job job) {
    return job.array() != null && job.array().taskId() == null;
  }

  private static String count(Terms terms, long amount) {
    return amount == 0 ? Formats.UNKNOWN : terms.formats().count(amount);
  }

  private static Comparator<Job> byText(Function<Job, String> text) {
    return comparing(text, String.CASE_INSENSITIVE_ORDER);
  }

  private static long limit(Job job) {
    return job.timeLimitMinutes() == Partition.UNLIMITED ? Long.MAX_VALUE : job.timeLimitMinutes();
  }

  private static Instant since(Job job) {
    Instant started = job.started();
    return job.state() == JobState.PENDING || started == null ? job.submitted() : started;
  }

  private static boolean isPlanned(Job job) {
    return job.state() == JobState.PENDING && job.planned() != null;
  }

  private static @Nullable Instant start(Job job) {
    if (job.state() != JobState.PENDING) {
      return job.started();
    }
    return job.planned() == null ? null : job.planned().start();
  }
}
