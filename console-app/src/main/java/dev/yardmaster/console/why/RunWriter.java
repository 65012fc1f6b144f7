package dev.yardmaster.console.why;

import dev.yardmaster.console.i18n.Formats;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.console.why.RunPage.Place;
import dev.yardmaster.console.why.WhyPage.Badge;
import dev.yardmaster.console.why.WhyPage.Fact;
import dev.yardmaster.console.why.WhyPage.GateLine;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.explain.Outcome;
import dev.yardmaster.explain.RunFacts;
import dev.yardmaster.explain.Words;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.text.HostList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes what is told of a job that runs or has ended. Immutable; may be used by any thread. */
public final class RunWriter {
  /** A job on more nodes than this is told by groups of nodes on which it holds the same. */
  private static final int MAX_SINGLE = 12;

  private final Words words;
  private final Terms terms;

  public RunWriter(Words words, Terms terms) {
    this.words = words;
    this.terms = terms;
  }

  /**
   * The page of a job that has started or ended.
   *
   * @param reasons why it was placed where it is; empty while that is not known
   * @param facts what the engine tells of a run; null while that is not known
   * @param priority with its parts, as it was when it started
   */
  public RunPage page(
      Job job,
      List<GateLine> reasons,
      @Nullable RunFacts facts,
      RunPage.@Nullable HeldBack heldBack,
      WhyPage.Priority priority,
      Instant now) {
    boolean ended = job.state().isFinished();
    return new RunPage(
        answer(job),
        ended ? endLead(job, now) : runLead(job, now),
        new Badge(terms.state(job), terms.tone(job)),
        terms.text(ended ? WhyText.WHERE_ENDED : WhyText.WHERE),
        places(job.allocation()),
        reasons,
        times(job, facts, now),
        turn(job, priority),
        ended ? null : heldBack,
        ended ? outcome(job) : List.of());
  }

  private String answer(Job job) {
    String where = job.allocation() == null ? "" : job.allocation().nodes().toString();
    return switch (job.state()) {
      case PENDING, RUNNING -> answer(WhyText.ANSWER_RUNNING, job, where);
      case SUSPENDED -> answer(WhyText.ANSWER_SUSPENDED, job, where);
      case COMPLETED -> answer(WhyText.ANSWER_COMPLETED, job, where);
      case CANCELLED -> answer(WhyText.ANSWER_CANCELLED, job, where);
      case FAILED ->
          job.exitCode().signal() == 0
              ? answer(WhyText.ANSWER_FAILED, job, Integer.toString(job.exitCode().code()))
              : answer(WhyText.ANSWER_SIGNAL, job, Integer.toString(job.exitCode().signal()));
      case TIMEOUT -> answer(WhyText.ANSWER_TIMEOUT, job, terms.limit(job.timeLimitMinutes()));
      case NODE_FAIL, BOOT_FAIL -> answer(WhyText.ANSWER_NODE_FAIL, job, where);
      case PREEMPTED -> answer(WhyText.ANSWER_PREEMPTED, job, where);
      case DEADLINE -> answer(WhyText.ANSWER_DEADLINE, job, where);
      case OUT_OF_MEMORY -> answer(WhyText.ANSWER_OUT_OF_MEMORY, job, where);
    };
  }

  private String answer(WhyText text, Job job, String detail) {
    return terms.text(text, job.displayId(), job.name(), detail);
  }

  private String runLead(Job job, Instant now) {
    String started = instant(job.started(), now);
    String waited = terms.formats().duration(waited(job));
    return job.timeLimitMinutes() == Partition.UNLIMITED || end(job) == null
        ? terms.text(WhyText.RUN_LEAD_NO_LIMIT, started, waited)
        : terms.text(WhyText.RUN_LEAD, started, waited, instant(end(job), now));
  }

  private String endLead(Job job, Instant now) {
    Instant started = job.started();
    Instant ended = job.ended();
    if (started == null || ended == null || !started.isBefore(ended)) {
      return terms.text(WhyText.END_LEAD_NEVER_RAN, instant(ended, now));
    }
    return terms.text(
        WhyText.END_LEAD,
        terms.formats().duration(Duration.between(started, ended)),
        instant(ended, now));
  }

  private String instant(@Nullable Instant instant, Instant now) {
    return instant == null ? Formats.UNKNOWN : words.instant(instant, now);
  }

  private static Duration waited(Job job) {
    Instant until = job.started() == null ? job.submitted() : job.started();
    return Duration.between(job.submitted(), until);
  }

  /** For a running job the end is when its limit is reached. */
  private static @Nullable Instant end(Job job) {
    Instant started = job.started();
    if (job.ended() != null || started == null || job.timeLimitMinutes() < 0) {
      return job.ended();
    }
    return started.plus(Duration.ofMinutes(job.timeLimitMinutes()));
  }

  private List<Place> places(@Nullable Allocation allocation) {
    if (allocation == null) {
      return List.of();
    }
    if (allocation.shares().size() <= MAX_SINGLE) {
      return allocation.shares().stream().map(share -> place(share, List.of(share))).toList();
    }
    return allocation.shares().stream()
        .collect(
            Collectors.groupingBy(
                share -> place(share, List.of()), LinkedHashMap::new, Collectors.toList()))
        .values()
        .stream()
        .map(same -> place(same.getFirst(), same))
        .toList();
  }

  /** What {@code share} is, told of the nodes of {@code all}. */
  private Place place(NodeShare share, List<NodeShare> all) {
    List<String> nodes = all.stream().map(NodeShare::node).toList();
    return new Place(
        nodes.isEmpty() ? "" : HostList.fold(nodes),
        nodes.size(),
        share.gres().stream()
            .filter(gres -> gres.name().equals("gpu"))
            .map(RunWriter::devices)
            .collect(Collectors.joining(", ")),
        terms.formats().count(share.cpus()),
        share.memoryMib() == 0 ? "" : terms.memory(share.memoryMib()));
  }

  private static String devices(GresShare gres) {
    String type = gres.type() == null ? "" : gres.type() + " ";
    return type + (gres.devices().isEmpty() ? Long.toString(gres.count()) : gres.devices());
  }

  private RunPage.@Nullable Turn turn(Job job, WhyPage.Priority priority) {
    if (job.started() == null || job.allocation() == null) {
      return null;
    }
    RunFacts known = RunFacts.of(job);
    long total = known.waits().stream().mapToLong(RunFacts.Wait::seconds).sum();
    List<WhyPage.Amount> waits =
        known.waits().stream()
            .map(
                wait ->
                    new WhyPage.Amount(
                        terms.reason(wait.reason()),
                        terms.formats().duration(Duration.ofSeconds(wait.seconds())),
                        (double) wait.seconds() / total,
                        Tone.NEUTRAL,
                        ""))
            .toList();
    return new RunPage.Turn(words.turn(known), waits, priority);
  }

  private List<Fact> times(Job job, @Nullable RunFacts run, Instant now) {
    List<Fact> facts = new ArrayList<>();
    facts.add(instant(WhyText.TIME_SUBMITTED, job.submitted(), now));
    if (job.eligible() != null && !job.eligible().equals(job.submitted())) {
      facts.add(instant(WhyText.TIME_ELIGIBLE, job.eligible(), now));
    }
    if (job.started() != null) {
      facts.add(duration(WhyText.TIME_WAITED, waited(job)));
      facts.add(instant(WhyText.TIME_STARTED, job.started(), now));
      facts.add(duration(WhyText.TIME_RAN, Terms.elapsed(job, now)));
    }
    facts.add(fact(WhyText.TIME_LIMIT, terms.limit(job.timeLimitMinutes())));
    Instant end = end(job);
    if (end != null) {
      facts.add(
          instant(job.state().isFinished() ? WhyText.TIME_ENDED : WhyText.TIME_ENDS, end, now));
    }
    if (run != null && run.likely() != null && !job.state().isFinished()) {
      facts.add(likely(run.likely(), run, now));
    }
    Preemption preemption = job.preemption();
    if (preemption != null) {
      Evidence evidence =
          new Evidence.Preempted(
              preemption.by(),
              preemption.mode(),
              preemption.at(),
              preemption.until(),
              preemption.why());
      Finding finding = new Finding(Gate.BEGIN_TIME, Outcome.PASS, false, evidence);
      facts.add(fact(WhyText.TIME_PREEMPTED, words.finding(finding, now)));
    }
    if (job.restarts() > 0) {
      facts.add(fact(WhyText.TIME_RESTARTS, terms.formats().count(job.restarts())));
    }
    return facts;
  }

  /** With the range where there is one: {@code 14:00 (13:20 – 15:10)}. */
  private Fact likely(Instant likely, RunFacts run, Instant now) {
    Fact fact = instant(WhyText.TIME_LIKELY, likely, now);
    Instant from = run.earliest();
    Instant to = run.latest();
    return from == null || to == null || from.equals(to)
        ? fact
        : new Fact(
            fact.name(),
            "%s (%s – %s)"
                .formatted(
                    fact.value(),
                    terms.formats().instant(from, now),
                    terms.formats().instant(to, now)),
            fact.hover());
  }

  private List<Fact> outcome(Job job) {
    List<Fact> facts = new ArrayList<>();
    String state = terms.state(job) + " · " + job.state().name();
    facts.add(fact(WhyText.OUTCOME_STATE, state));
    if (job.state() != JobState.CANCELLED || job.started() != null) {
      facts.add(fact(WhyText.OUTCOME_EXIT, job.exitCode().toString()));
    }
    String reason = terms.reason(job);
    if (!reason.isEmpty()) {
      facts.add(fact(WhyText.OUTCOME_REASON, reason));
    }
    if (!job.batch().command().isEmpty()) {
      facts.add(fact(WhyText.OUTCOME_COMMAND, job.batch().command()));
    }
    if (!job.batch().workDir().isEmpty()) {
      facts.add(fact(WhyText.OUTCOME_FOLDER, job.batch().workDir()));
    }
    return facts;
  }

  private Fact fact(WhyText name, String value) {
    return new Fact(terms.text(name), value, "");
  }

  private Fact duration(WhyText name, Duration value) {
    return fact(name, terms.formats().duration(value));
  }

  private Fact instant(WhyText name, Instant value, Instant now) {
    return new Fact(
        terms.text(name), terms.formats().instant(value, now), terms.formats().full(value));
  }
}
