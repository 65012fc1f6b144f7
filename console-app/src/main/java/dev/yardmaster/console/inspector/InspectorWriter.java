package dev.yardmaster.console.inspector;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.ReasonLog;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.shell.Inspection;
import dev.yardmaster.console.shell.Item;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.console.theme.AccountPalette;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes what the inspector tells of a thing, always in the order state, request, limits,
 * relations, history. May be used by any thread.
 */
public final class InspectorWriter {
  private final Terms terms;
  private final JobInspector jobs;
  private final NodeInspector nodes;
  private final GroupInspector groups;

  public InspectorWriter(Terms terms, AccountPalette accounts) {
    this(terms, accounts, new ReasonLog());
  }

  /** A writer that also tells what held a job before. */
  public InspectorWriter(Terms terms, AccountPalette accounts, ReasonLog reasons) {
    this.terms = terms;
    this.jobs = new JobInspector(terms, accounts, reasons);
    this.nodes = new NodeInspector(terms, accounts);
    this.groups = new GroupInspector(terms, accounts);
  }

  /** What to show of {@code item}; null when it is of a kind that has no inspection. */
  public @Nullable Inspection inspect(Item item, Snapshot snapshot, Instant now) {
    return switch (item.kind()) {
      case JOB ->
          Optional.ofNullable(Items.jobId(item))
              .flatMap(snapshot::job)
              .map(job -> jobs.inspect(job, snapshot, now))
              .orElseGet(() -> gone(InspectorText.JOB, item));
      case NODE ->
          snapshot
              .node(item.name())
              .map(node -> nodes.inspect(node, now))
              .orElseGet(() -> gone(InspectorText.NODE, item));
      case PARTITION ->
          Optional.ofNullable(snapshot.partitions().get(item.name()))
              .map(partition -> groups.partition(partition, snapshot, now))
              .orElseGet(() -> gone(InspectorText.PARTITION, item));
      case RESERVATION ->
          Optional.ofNullable(snapshot.reservations().get(item.name()))
              .map(reservation -> groups.reservation(reservation, now))
              .orElseGet(() -> gone(InspectorText.RESERVATION, item));
      case ACCOUNT ->
          groups.jobsOf(
              terms.text(InspectorText.ACCOUNT, Terms.orDash(item.name())),
              job -> job.owner().account().equals(item.name()),
              snapshot,
              now);
      case USER ->
          groups.jobsOf(
              terms.text(InspectorText.USER_SUBJECT, item.name()),
              job -> job.owner().user().equals(item.name()),
              snapshot,
              now);
      default -> null;
    };
  }

  private Inspection gone(InspectorText subject, Item item) {
    return new Inspection(
        terms.text(subject, item.name()),
        List.of(
            new Inspection.Facts(
                "",
                List.of(
                    Inspection.Fact.of(
                        terms.text(InspectorText.STATE), terms.text(InspectorText.GONE))))));
  }
}
