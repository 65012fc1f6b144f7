package dev.yardmaster.explain;

import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When a job starts, and what has to happen first, in words. */
final class ForecastWords {
  private final Texts texts;

  ForecastWords(Texts texts) {
    this.texts = texts;
  }

  /**
   * When it starts, and what has to happen first.
   *
   * @param deadline before which it has to end; null for any time
   */
  String detail(Forecast forecast, List<Blocker> blockers, @Nullable Instant deadline, Instant at) {
    List<String> sentences = new ArrayList<>();
    Instant start = forecast.byLimits();
    if (start == null && deadline != null) {
      sentences.add(texts.get("detail.none.deadline", texts.instant(deadline, at)));
    } else if (start == null) {
      sentences.add(texts.get("detail.none", texts.instant(forecast.horizonEnd(), at)));
    } else {
      sentences.add(texts.get("detail.start", texts.instant(start, at), on(forecast.nodes())));
      List<String> enders =
          Enders.of(blockers, start).stream()
              .map(b -> b.name().isEmpty() ? texts.get("job.hidden") : b.name())
              .toList();
      if (!enders.isEmpty()) {
        sentences.add(texts.get("detail.when", texts.list(enders), enders.size()));
      }
    }
    Instant likely = forecast.likely();
    if (likely != null && (start == null || likely.isBefore(start))) {
      sentences.add(texts.get("detail.likely", texts.instant(likely, at), range(forecast, at)));
      if (forecast.leftOut() > 0) {
        sentences.add(texts.get("detail.leftOut", forecast.leftOut()));
      }
    }
    if (forecast.plan() instanceof Forecast.Plan plan) {
      sentences.add(plan(plan, at));
    }
    return String.join(" ", sentences);
  }

  /** What Slurm's plan says otherwise, and why. */
  String plan(Forecast.Plan plan, Instant at) {
    return texts.get(
        "detail.plan." + plan.difference(), texts.instant(plan.start(), at), on(plan.nodes()));
  }

  private String on(HostList nodes) {
    return nodes.isEmpty() ? "" : texts.get("detail.start.on", nodes.toString());
  }

  private String range(Forecast forecast, Instant at) {
    Instant earliest = forecast.earliest();
    Instant latest = forecast.latest();
    if (earliest == null || earliest.equals(latest)) {
      return "";
    }
    return latest == null
        ? texts.get("detail.likely.from", texts.instant(earliest, at))
        : texts.get("detail.likely.range", texts.instant(earliest, at), texts.instant(latest, at));
  }
}
