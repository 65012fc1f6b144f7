package dev.yardmaster.console.status;

import dev.yardmaster.console.connect.Link;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.connect.Unit;
import dev.yardmaster.console.connect.UnitCount;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.LiveState;
import dev.yardmaster.console.shell.StatusSegment;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.PassFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the segments of the status bar. Immutable; may be used by any thread. */
public final class StatusWriter {
  private final Terms terms;

  public StatusWriter(Terms terms) {
    this.terms = terms;
  }

  /**
   * The segments, the first at the left.
   *
   * @param age how old the data are
   */
  public List<StatusSegment> segments(@Nullable Snapshot snapshot, Link link, Duration age) {
    List<StatusSegment> segments = new ArrayList<>();
    segments.add(connection(snapshot, link));
    if (snapshot == null) {
      return segments;
    }
    segments.add(
        new StatusSegment(
            terms.text(StatusText.AGE, terms.formats().duration(age)),
            link.isLive() ? null : Tone.ATTENTION,
            terms.text(
                StatusText.AGE_HOVER,
                terms.formats().full(snapshot.time()),
                terms.formats().zone().getId())));
    segments.add(passes(snapshot.figures()));
    segments.add(
        new StatusSegment(
            terms.text(
                StatusText.QUEUE,
                terms.formats().count(snapshot.tasks(JobState.PENDING)),
                terms.formats().count(snapshot.tasks(JobState.RUNNING))),
            null,
            terms.text(StatusText.QUEUE_HOVER)));
    segments.add(units(snapshot));
    return segments;
  }

  private StatusSegment connection(@Nullable Snapshot snapshot, Link link) {
    ClusterInfo info = snapshot == null ? null : snapshot.info();
    String host = info == null ? link.endpoint() : info.host() + " " + role(info.role());
    return switch (link.phase()) {
      case CONNECTING ->
          new StatusSegment(
              terms.text(StatusText.CONNECTING, link.endpoint()), Tone.NEUTRAL, link.endpoint());
      case LIVE ->
          new StatusSegment(
              terms.text(StatusText.LIVE, host),
              Tone.GOOD,
              terms.text(
                  StatusText.LIVE_HOVER,
                  link.endpoint(),
                  info == null ? "" : info.version(),
                  info == null ? "" : info.slurmVersion()));
      case STALE ->
          new StatusSegment(
              terms.text(StatusText.STALE, host),
              Tone.ATTENTION,
              terms.text(StatusText.STALE_HOVER));
      case DISCONNECTED ->
          new StatusSegment(
              terms.text(StatusText.DISCONNECTED, host), Tone.ATTENTION, link.problem());
      case FAILED ->
          new StatusSegment(terms.text(StatusText.FAILED, host), Tone.BLOCKED, link.problem());
    };
  }

  private String role(String role) {
    return role.equals("primary") ? terms.text(StatusText.ROLE_PRIMARY) : role;
  }

  private StatusSegment passes(PassFigures figures) {
    if (figures.lastPass() == null) {
      return new StatusSegment(
          terms.text(StatusText.PASSES_NONE), null, terms.text(StatusText.PASSES_NONE));
    }
    return new StatusSegment(
        terms.text(
            StatusText.PASSES, millis(figures.mainPassMicros()), millis(figures.backfillMicros())),
        null,
        terms.text(
            StatusText.PASSES_HOVER,
            terms.formats().full(figures.lastPass()),
            terms.formats().count(figures.mainDepth()),
            terms.formats().count(figures.backfillDepth())));
  }

  private String millis(long micros) {
    String one = "1\u00a0ms";
    return micros < 1_000
        ? terms.text(StatusText.UNDER, one)
        : terms.formats().count(Math.round(micros / 1_000.0)) + "\u00a0ms";
  }

  private StatusSegment units(Snapshot snapshot) {
    Unit unit = snapshot.unit();
    UnitCount units = unit == Unit.GPU ? snapshot.gpus() : snapshot.cpus();
    return new StatusSegment(
        terms.text(
            StatusText.UNITS,
            terms.formats().count(units.allocated()),
            terms.formats().count(units.total()),
            unit.ordinal()),
        null,
        terms.text(
            StatusText.UNITS_HOVER,
            terms.formats().count(units.allocated()),
            terms.formats().count(units.free()),
            terms.formats().count(units.unavailable())));
  }

  /** What the pill in the top bar says. */
  public LiveState live(Link link, Duration age) {
    return switch (link.phase()) {
      case LIVE -> LiveState.NOW;
      case STALE -> new LiveState(LiveState.Kind.STALE, terms.formats().duration(age));
      case CONNECTING, DISCONNECTED, FAILED -> LiveState.NONE;
    };
  }
}
