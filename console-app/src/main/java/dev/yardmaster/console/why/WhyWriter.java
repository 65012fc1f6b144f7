package dev.yardmaster.console.why;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.Item;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.console.why.WhyPage.Amount;
import dev.yardmaster.console.why.WhyPage.Badge;
import dev.yardmaster.console.why.WhyPage.Change;
import dev.yardmaster.console.why.WhyPage.Fact;
import dev.yardmaster.console.why.WhyPage.GateLine;
import dev.yardmaster.console.why.WhyPage.Mark;
import dev.yardmaster.console.why.WhyPage.Obstacle;
import dev.yardmaster.console.why.WhyPage.Part;
import dev.yardmaster.explain.Blocker;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.explain.Forecast;
import dev.yardmaster.explain.Outcome;
import dev.yardmaster.explain.PriorityStanding;
import dev.yardmaster.explain.Remedy;
import dev.yardmaster.explain.RunFacts;
import dev.yardmaster.explain.Verdict;
import dev.yardmaster.explain.Words;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.PriorityFactors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes an {@link Explanation} as a {@link WhyPage}. Immutable; may be used by any thread. */
public final class WhyWriter {
  private final Words words;
  private final Terms terms;
  private final FunnelWriter funnels;

  public WhyWriter(Words words, Terms terms) {
    this.words = words;
    this.terms = terms;
    this.funnels = new FunnelWriter(words, terms);
  }

  /**
   * The page of an explanation.
   *
   * @param snapshot the cluster, to know which of the named jobs can be selected
   */
  public WhyPage page(Explanation e, @Nullable Snapshot snapshot) {
    return new WhyPage(
        words.answer(e),
        words.detail(e),
        new Badge(terms.sentence(words.verdict(e.verdict())), tone(e.verdict())),
        e.slurmReason().text(),
        e.slurmReasonText().isEmpty() ? e.slurmReason().text() : e.slurmReasonText(),
        funnels.funnel(e),
        e.findings().stream().map(finding -> gate(finding, e.at())).toList(),
        e.findings().stream().flatMap(finding -> limit(finding).stream()).toList(),
        e.blockers().stream().map(blocker -> obstacle(blocker, e.at(), snapshot)).toList(),
        priority(e.priority()),
        forecast(e.forecast(), e.at()),
        e.remedies().stream().map(remedy -> change(remedy, e)).toList(),
        words.ticket(e));
  }

  private static Tone tone(Verdict verdict) {
    return switch (verdict) {
      case NOW -> Tone.GOOD;
      case SOON -> Tone.PLANNED;
      case NOT_NOW -> Tone.ATTENTION;
      case NEVER -> Tone.BLOCKED;
      case NOT_EVALUATED, FINISHED -> Tone.NEUTRAL;
      case RUNNING -> Tone.ACCENT;
    };
  }

  /**
   * Why a job that runs was placed where it is: what chose its nodes comes first, then what they
   * had to pass; rules that say nothing about it are left out.
   */
  List<GateLine> reasons(Explanation e) {
    return e.findings().stream()
        .filter(f -> f.outcome() == Outcome.PASS || f.blocks())
        .sorted(Comparator.comparing(f -> !(f.evidence() instanceof Evidence.Placed)))
        .map(f -> gate(f, e.at()))
        .filter(line -> !line.evidence().isEmpty())
        .toList();
  }

  /** Who waits for the end of a job that runs; null while that is not known. */
  RunPage.@Nullable HeldBack heldBack(Explanation e, @Nullable Snapshot snapshot) {
    RunFacts run = e.run();
    if (run == null) {
      return null;
    }
    List<Obstacle> jobs =
        run.heldBack().stream()
            .map(
                held ->
                    new Obstacle(
                        words.name(held),
                        words.heldBack(held, e.at()),
                        words.instant(held.instead(), e.at()),
                        held.account(),
                        job(held.name(), snapshot)))
            .toList();
    return new RunPage.HeldBack(terms.text(WhyText.HELD_BACK_COUNT, run.heldBackCount()), jobs);
  }

  /** The priority that a job has, or had when it started. */
  WhyPage.Priority priority(Job job) {
    return new WhyPage.Priority(
        terms.text(WhyText.PRIORITY, terms.formats().count(job.priority())),
        terms.text(WhyText.PRIORITY_AT_START),
        parts(job.factors()));
  }

  private GateLine gate(Finding finding, Instant at) {
    Mark mark =
        switch (finding.outcome()) {
          case PASS -> Mark.PASSED;
          case FAIL -> Mark.BLOCKS;
          case NOT_REACHED -> Mark.NOT_REACHED;
          case NOT_APPLICABLE -> Mark.NOT_APPLICABLE;
        };
    String evidence = finding.outcome() == Outcome.NOT_REACHED ? "" : words.finding(finding, at);
    return new GateLine(
        mark, words.gate(finding.gate()), words.outcome(finding.outcome()), evidence);
  }

  private List<Amount> limit(Finding finding) {
    if (!(finding.evidence() instanceof Evidence.Limit limit)
        || finding.outcome() == Outcome.NOT_APPLICABLE
        || limit.allowed() < 0) {
      return List.of();
    }
    long wanted = limit.used() + limit.asked();
    double share = limit.allowed() == 0 ? 1 : (double) wanted / limit.allowed();
    // Nobody else uses up a limit on the job's own time, so that coming near it is no warning.
    boolean near = share > 0.9 && !limit.unit().equals("minutes");
    Tone tone = finding.blocks() ? Tone.BLOCKED : near ? Tone.ATTENTION : Tone.GOOD;
    return List.of(
        new Amount(
            terms.text(WhyText.LIMIT_LABEL, words.level(limit), limit.levelName(), limit.limit()),
            bare(limit, wanted) + " / " + words.amount(limit.unit(), limit.allowed()),
            share,
            tone,
            ledger(limit)));
  }

  /** A limit on the job's own time has nobody else in it. */
  private String ledger(Evidence.Limit limit) {
    if (limit.unit().equals("minutes") && limit.used() == 0) {
      return "";
    }
    return terms.text(
        WhyText.LIMIT_LEDGER,
        bare(limit, limit.used()),
        bare(limit, limit.asked()),
        limit.missing(),
        bare(limit, limit.missing()));
  }

  /** The unit is said once, with what is allowed; durations and memory always have theirs. */
  private String bare(Evidence.Limit limit, long value) {
    return switch (limit.unit()) {
      case "minutes", "mem" -> words.amount(limit.unit(), value);
      default -> terms.formats().count(value);
    };
  }

  private Obstacle obstacle(Blocker blocker, Instant at, @Nullable Snapshot snapshot) {
    Item target =
        blocker.kind() == Blocker.Kind.RESERVATION
            ? Items.reservation(blocker.name())
            : job(blocker.name(), snapshot);
    return new Obstacle(
        words.name(blocker),
        words.blocker(blocker, at),
        blocker.until() == null
            ? terms.text(WhyText.BLOCKER_NO_END)
            : words.instant(blocker.until(), at),
        blocker.account(),
        target);
  }

  /** Blockers carry the id as users write it; the selection needs the record's number. */
  private static @Nullable Item job(String displayId, @Nullable Snapshot snapshot) {
    if (snapshot == null) {
      return null;
    }
    return snapshot.jobs().stream()
        .filter(job -> job.displayId().equals(displayId))
        .findFirst()
        .map((Job job) -> Items.job(job))
        .orElse(null);
  }

  private WhyPage.Priority priority(PriorityStanding standing) {
    String title = terms.text(WhyText.PRIORITY, terms.formats().count(standing.priority()));
    String place =
        standing.rank() > 0
            ? terms.text(
                WhyText.PRIORITY_PLACE,
                terms.formats().count(standing.rank()),
                terms.formats().count(standing.total()))
            : terms.text(WhyText.PRIORITY_NOT_IN_ORDER);
    return new WhyPage.Priority(title, place, parts(standing.factors()));
  }

  private List<Part> parts(PriorityFactors factors) {
    List<Part> parts = new ArrayList<>();
    add(parts, WhyText.FACTOR_FAIR_SHARE, factors.fairShare(), 0);
    add(parts, WhyText.FACTOR_AGE, factors.age(), 1);
    add(parts, WhyText.FACTOR_QOS, factors.qos(), 2);
    add(parts, WhyText.FACTOR_JOB_SIZE, factors.jobSize(), 3);
    add(parts, WhyText.FACTOR_PARTITION, factors.partition(), 4);
    add(parts, WhyText.FACTOR_TRES, factors.tres(), 5);
    add(parts, WhyText.FACTOR_ASSOC, factors.assoc(), 6);
    add(parts, WhyText.FACTOR_SITE, factors.site(), 7);
    // A nice value takes points away, so it has no width of its own and may share a colour.
    add(parts, WhyText.FACTOR_NICE, -factors.nice(), 7);
    return parts;
  }

  private void add(List<Part> parts, WhyText name, double amount, int colour) {
    long points = Math.round(amount);
    if (points != 0) {
      parts.add(new Part(terms.text(name), terms.formats().count(points), points, colour));
    }
  }

  private List<Fact> forecast(@Nullable Forecast forecast, Instant at) {
    if (forecast == null) {
      return List.of();
    }
    List<Fact> facts = new ArrayList<>();
    Instant byLimits = forecast.byLimits();
    if (byLimits == null) {
      facts.add(
          new Fact(
              terms.text(WhyText.FORECAST_BY_LIMITS),
              terms.text(WhyText.FORECAST_NONE, terms.formats().instant(forecast.horizonEnd(), at)),
              terms.formats().full(forecast.horizonEnd())));
    } else {
      facts.add(instant(WhyText.FORECAST_BY_LIMITS, byLimits, at));
    }
    if (forecast.likely() != null) {
      facts.add(likely(forecast.likely(), forecast, at));
    }
    if (!forecast.nodes().isEmpty()) {
      String nodes = forecast.nodes().toString();
      facts.add(new Fact(terms.text(WhyText.FORECAST_NODES), nodes, nodes));
    }
    if (forecast.plan() instanceof Forecast.Plan plan) {
      facts.add(
          new Fact(
              terms.text(WhyText.FORECAST_PLAN),
              terms.formats().instant(plan.start(), at),
              words.plan(plan, at)));
    }
    facts.add(instant(WhyText.FORECAST_HORIZON, forecast.horizonEnd(), at));
    facts.add(instant(WhyText.FORECAST_MADE, forecast.made(), at));
    return facts;
  }

  /** With the range where there is one: {@code 14:00 (13:20 – 15:10)}. */
  private Fact likely(Instant likely, Forecast forecast, Instant at) {
    Fact fact = instant(WhyText.FORECAST_LIKELY, likely, at);
    Instant from = forecast.earliest();
    Instant to = forecast.latest();
    if (from == null || from.equals(to)) {
      return fact;
    }
    String until = to == null ? "" : terms.formats().instant(to, at);
    return new Fact(
        fact.name(),
        fact.value() + " (" + terms.formats().instant(from, at) + " – " + until + ")",
        fact.hover());
  }

  private Fact instant(WhyText name, Instant instant, Instant at) {
    return new Fact(
        terms.text(name), terms.formats().instant(instant, at), terms.formats().full(instant));
  }

  private Change change(Remedy remedy, Explanation e) {
    Instant at = e.at();
    Long gain = remedy.gainSeconds();
    WhyText otherwise =
        e.verdict() == Verdict.NEVER
            ? WhyText.REMEDY_INSTEAD_OF_NEVER
            : WhyText.REMEDY_INSTEAD_OF_UNKNOWN;
    String gained =
        gain == null
            ? terms.text(otherwise)
            : gain == 0 ? "0" : terms.formats().change(Duration.ofSeconds(-gain));
    return new Change(
        words.remedy(remedy),
        words.effect(remedy, at),
        gained,
        words.who(remedy),
        words.cost(remedy),
        remedy.command());
  }
}
