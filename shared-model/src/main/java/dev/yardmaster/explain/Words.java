package dev.yardmaster.explain;

import dev.yardmaster.explain.Evidence.Nodes;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.Memory;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An {@link Explanation} in plain words of one language: the one place where data becomes prose.
 */
public final class Words {
  private final Texts texts;
  private final Amounts amounts;
  private final LimitSentences limits;
  private final RemedyWords remedies;
  private final RunWords runs;
  private final PreemptionWords preemptions;
  private final ForecastWords forecasts;

  private Words(Texts texts) {
    this.texts = texts;
    amounts = new Amounts(texts);
    limits = new LimitSentences(texts, amounts);
    remedies = new RemedyWords(texts);
    runs = new RunWords(texts);
    preemptions = new PreemptionWords(texts);
    forecasts = new ForecastWords(texts);
  }

  /**
   * Words in a language (English where there is no bundle for it), with instants shown in a zone.
   */
  public static Words of(Locale locale, ZoneId zone) {
    return new Words(new Texts(locale, zone));
  }

  /** The answer in one sentence. */
  public String answer(Explanation e) {
    String subject = subject(e);
    return switch (e.verdict()) {
      case RUNNING, FINISHED -> ran(subject, e);
      case NOW -> texts.get("answer.now", subject);
      case NOT_EVALUATED -> texts.get("answer.NOT_EVALUATED", subject);
      case SOON, NOT_NOW, NEVER -> blocked(subject, e);
    };
  }

  /** That it runs or is over; of one that must leave for another, or left, for whom. */
  private String ran(String subject, Explanation e) {
    String key = e.verdict() == Verdict.RUNNING ? "answer.running" : "answer.finished";
    Finding stopped = stopped(e);
    if (stopped != null && stopped.evidence() instanceof Evidence.Waking waking) {
      return waking("answer.waking", subject, waking);
    }
    if (stopped != null) {
      return stopped.evidence() instanceof Evidence.Preempted p
          ? texts.get(p.by() == 0 ? "answer.turns" : "answer.stopped", subject, job(p.by()))
          : texts.get("answer.suspended", subject, e.displayId());
    }
    Evidence begun = e.finding(Gate.BEGIN_TIME).map(Finding::evidence).orElse(new Evidence.None());
    if (begun instanceof Evidence.Preempted p) {
      return texts.get(
          key + ".preempted",
          subject,
          job(p.by()),
          texts.instant(p.at(), e.at()),
          texts.instant(p.until(), e.at()));
    }
    return e.run() instanceof RunFacts run && run.ended() instanceof RunFacts.Ended ended
        ? runs.ended(subject, ended, e.timeLimitMinutes(), e.at())
        : texts.get(key, subject);
  }

  /** Why a job that has started does not work at present; null for one that works. */
  private static @Nullable Finding stopped(Explanation e) {
    return e.verdict() != Verdict.RUNNING
        ? null
        : e.findings().stream().filter(Finding::blocks).findFirst().orElse(null);
  }

  /** A job by its id; of one that the reader may not see, only that it is one. */
  private String job(int id) {
    return id == Evidence.HIDDEN
        ? texts.get("job.hidden")
        : texts.get("job.named", Integer.toString(id));
  }

  private String waking(String key, String subject, Evidence.Waking w) {
    String within =
        w.seconds() == 0 ? texts.get("duration.unlimited") : texts.duration(w.seconds());
    return texts.get(key, subject, w.nodes().toString(), within);
  }

  private String jobs(List<Integer> ids) {
    return ids.size() == 1 ? job(ids.getFirst()) : texts.get("unit.job", ids.size());
  }

  /** The job with its name, if it has one. */
  String subject(Explanation e) {
    return e.jobName().isBlank()
        ? texts.get("answer.subject.noName", e.displayId())
        : texts.get("answer.subject", e.displayId(), Texts.printable(e.jobName()));
  }

  private String blocked(String subject, Explanation e) {
    Gate gate = e.binding();
    if (gate == null) {
      return texts.get("answer.NOT_EVALUATED", subject);
    }
    Evidence evidence = e.finding(gate).map(Finding::evidence).orElse(new Evidence.None());
    String key = "answer." + gate;
    return switch (evidence) {
      case Evidence.Held(Hold by) when by != Hold.NONE -> texts.get(key + "." + by, subject);
      case Evidence.Until(Instant instant) ->
          texts.get(key, subject, texts.instant(instant, e.at()));
      case Evidence.InReservation(String reservation, Instant start) ->
          texts.get(
              key + ".named", subject, Texts.printable(reservation), texts.instant(start, e.at()));
      case Evidence.Preempted p ->
          texts.get(key + ".preempted", subject, job(p.by()), texts.instant(p.until(), e.at()));
      case Evidence.DependsOn d ->
          texts.get(
              d.neverSatisfiable() ? key + ".never" : key, subject, dependencyJobs(d), d.clause());
      case Evidence.Waking w -> waking("answer.waking", subject, w);
      case Evidence.Completing c ->
          texts.get(
              key,
              subject,
              jobs(c.jobIds()),
              c.nodes().toString(),
              texts.instant(c.until(), e.at()));
      case Evidence.PartitionIs(String partition, String state) ->
          texts.get(key, subject, partition, state);
      case Evidence.NotAllowed(String partition, String rule, String allowed, String asked) ->
          texts.get(
              gate == Gate.ASSOCIATION_LIMIT || gate == Gate.QOS_LIMIT ? "answer.notAllowed" : key,
              subject,
              partition,
              rule,
              allowed,
              asked);
      case Evidence.Limit limit -> limits.answer(key, subject, gate, limit);
      case Nodes nodes -> nodesAnswer(key, subject, gate, nodes, e);
      case Evidence.Ahead ahead ->
          texts.get(
              key,
              subject,
              texts.get("unit.job", ahead.jobIds().size()),
              e.partition(),
              ahead.jobIds().size());
      case Evidence.NotTogether(String rule, int needed, int best) ->
          texts.get(
              notTogether(key, rule, e.verdict()),
              subject,
              texts.get("unit.node", needed),
              rule,
              texts.get("unit.node", best));
      case Evidence.Placed _, Evidence.None _, Evidence.Held _ ->
          texts.get("answer.generic", subject, gate(gate));
    };
  }

  private String notTogether(String key, String rule, Verdict verdict) {
    String ofRule = texts.has(key + "." + rule) ? key + "." + rule : key;
    String never = ofRule + ".never";
    return verdict == Verdict.NEVER && texts.has(never) ? never : ofRule;
  }

  private String nodesAnswer(String key, String subject, Gate gate, Nodes nodes, Explanation e) {
    String needed = texts.get("unit.node", nodes.needed());
    String remaining = texts.get("unit.node", nodes.remaining());
    return switch (gate) {
      case NODES_IN_PARTITION -> texts.get(key, subject, needed, e.partition(), remaining);
      case NODES_UNPLANNED -> texts.get(asksForFree(e) ? key : key + ".first", subject);
      case NODES_NAMED -> texts.get(key, subject, nodes.needed(), nodes.remaining());
      case NODES_UNRESERVED ->
          texts.get(
              key,
              subject,
              needed,
              remaining,
              e.partition(),
              texts.duration(e.timeLimitMinutes() * 60),
              nodes.remaining());
      default ->
          texts.get(
                  wantsWholeNodes(nodes) ? "answer.NODES_WHOLE" : key,
                  subject,
                  needed,
                  remaining,
                  e.partition(),
                  gres(e),
                  nodes.remaining())
              + amounts.largest(nodes);
    };
  }

  /** Whether nodes fell for nothing but that others use them too. */
  private static boolean wantsWholeNodes(Nodes nodes) {
    return !nodes.falls().isEmpty()
        && nodes.falls().stream()
            .allMatch(
                f ->
                    f.cause() == Evidence.Cause.NOT_WHOLE
                        || f.cause() == Evidence.Cause.EXCLUSIVE_OTHER);
  }

  /** Whether what is free was looked at, and suffices. */
  private static boolean asksForFree(Explanation e) {
    return e.finding(Gate.NODES_FREE_CPUS).map(f -> f.outcome() == Outcome.PASS).orElse(false);
  }

  /** What the job asks of generic resources, in words: {@code 8 GPUs}, {@code 4 × gpu:h100}. */
  private String gres(Explanation e) {
    List<String> parts = new ArrayList<>();
    for (GresRequest g : e.request().gres()) {
      parts.add(
          g.name().equals("gpu") && g.type() == null
              ? texts.get("unit.gres", g.count())
              : texts.get("unit.gresTyped", g.count(), g.tresName().substring("gres/".length())));
    }
    return texts.list(parts);
  }

  /**
   * The second line: when it starts and what has to happen first; empty when there is nothing to
   * say.
   */
  public String detail(Explanation e) {
    if (e.run() instanceof RunFacts run) {
      String detail = runs.detail(run, e.verdict(), stopped(e) != null, e.at());
      return isHeld(e) ? detail + " " + texts.get("run.held") : detail;
    }
    Forecast forecast = e.forecast();
    if (e.verdict() == Verdict.NEVER) {
      return texts.get(e.remedies().isEmpty() ? "detail.never.alone" : "detail.never");
    }
    if (forecast == null) {
      return "";
    }
    return forecasts.detail(forecast, e.blockers(), deadline(e), e.at());
  }

  private static @Nullable Instant deadline(Explanation e) {
    return e.finding(Gate.DEADLINE)
        .map(f -> f.evidence() instanceof Evidence.Until(Instant until) ? until : null)
        .orElse(null);
  }

  /** Whether it was held after it had started, which matters only when it comes back. */
  static boolean isHeld(Explanation e) {
    return e.verdict() == Verdict.RUNNING
        && (e.slurmReason() == Reason.JOB_HELD_USER || e.slurmReason() == Reason.JOB_HELD_ADMIN);
  }

  /** What Slurm's plan says that is not to be expected, and why. */
  public String plan(Forecast.Plan plan, Instant at) {
    return forecasts.plan(plan, at);
  }

  public String verdict(Verdict verdict) {
    return texts.get("verdict." + verdict);
  }

  public String outcome(Outcome outcome) {
    return texts.get("outcome." + outcome);
  }

  /** The rule of a gate as a short title that reads as true when it is passed. */
  public String gate(Gate gate) {
    return texts.get("gate." + gate);
  }

  /**
   * The evidence of a finding as one sentence, for a reader who sees the gate's title beside it.
   */
  public String finding(Finding finding, Instant at) {
    return switch (finding.evidence()) {
      case Evidence.None ignored -> "";
      case Evidence.Held(Hold by) -> texts.get("finding.HOLD." + by);
      case Evidence.Until(Instant instant) ->
          texts.get(
              finding.gate() == Gate.DEADLINE ? "finding.until.DEADLINE" : "finding.until",
              texts.instant(instant, at));
      case Evidence.InReservation(String reservation, Instant start) ->
          texts.get(
              finding.blocks() ? "finding.reservation.waits" : "finding.reservation",
              Texts.printable(reservation),
              texts.instant(start, at));
      case Evidence.Preempted p when p.mode() == Preemption.Mode.SUSPEND ->
          texts.get(
              p.by() == 0 ? "finding.turn" : "finding.suspended",
              job(p.by()),
              texts.instant(p.at(), at));
      case Evidence.Preempted p ->
          texts.get(
                  finding.blocks() ? "finding.preempted" : "finding.preempted.over",
                  job(p.by()),
                  texts.instant(p.at(), at),
                  texts.instant(p.until(), at))
              + preemptions.why(p.why(), at);
      case Evidence.DependsOn d ->
          texts.get(
              finding.gate() == Gate.COMPONENTS
                  ? "finding.components"
                  : d.neverSatisfiable() ? "finding.dependency.never" : "finding.dependency",
              d.clause(),
              dependencyJobs(d));
      case Evidence.Waking w -> waking("finding.waking", "", w);
      case Evidence.Completing c ->
          texts.get(
              "finding.completing",
              jobs(c.jobIds()),
              c.nodes().toString(),
              texts.instant(c.until(), at));
      case Evidence.PartitionIs(String partition, String state) ->
          texts.get("finding.partitionIs", partition, state);
      case Evidence.NotAllowed(String partition, String rule, String allowed, String asked) ->
          texts.get("finding.notAllowed", partition, rule, allowed, asked);
      case Evidence.Limit l -> limits.finding(l);
      case Nodes(int before, int remaining, int needed, List<Evidence.Fall> ignored) ->
          texts.get("finding.nodes", remaining, before, needed);
      case Evidence.Ahead(List<Integer> ids, int rank, int total) ->
          ids.isEmpty()
              ? texts.get("detail.ahead", rank, total)
              : texts.get(
                  "finding.ahead",
                  texts.get("unit.job", ids.size()),
                  job(ids.getFirst()),
                  rank,
                  total);
      case Evidence.NotTogether(String rule, int needed, int best) ->
          texts.get(
              texts.has("finding.notTogether." + rule)
                  ? "finding.notTogether." + rule
                  : "finding.notTogether",
              rule,
              needed,
              texts.get("unit.node", best));
      case Evidence.Placed(Evidence.Placed.Rule rule, HostList nodes) ->
          texts.get("finding.placed." + rule, nodes.toString());
    };
  }

  /** The kind of level that sets a limit: partition, QOS, account … */
  public String level(Evidence.Limit l) {
    return limits.level(l);
  }

  /** An amount in the unit of a limit. */
  public String amount(String unit, long value) {
    return amounts.of(unit, value);
  }

  private String dependencyJobs(Evidence.DependsOn d) {
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < d.jobIds().size(); i++) {
      String state = i < d.states().size() ? d.states().get(i) : "UNKNOWN";
      jobs.add(texts.get("finding.dependency.job", dependencyJob(d, d.jobIds().get(i)), state));
    }
    return texts.list(jobs);
  }

  /** A component of a heterogeneous job, {@code hetjob 29-31}, by the place it has in that. */
  private static String dependencyJob(Evidence.DependsOn d, int id) {
    String first = d.clause().startsWith("hetjob ") ? d.clause().substring(7) : "";
    String leader = first.replaceFirst("[^0-9].*", "");
    return leader.isEmpty() ? Integer.toString(id) : leader + "+" + (id - Integer.parseInt(leader));
  }

  /** Why nodes fell, with how many: {@code 8 nodes drained}. */
  public String fall(Evidence.Fall fall, Instant at) {
    String key = "fall." + fall.cause();
    String unnamed = key + ".unnamed";
    boolean several =
        fall.cause() == Evidence.Cause.PLANNED_FOR_OTHER && fall.detail().contains(" ");
    String text =
        texts.get(
            several
                ? key + ".several"
                : fall.detail().isEmpty() && texts.has(unnamed) ? unnamed : key,
            texts.get("unit.node", fall.nodes().size()),
            several ? texts.list(List.of(fall.detail().split(" "))) : amounts.detail(fall));
    String most = amounts.most(fall);
    if (!most.isEmpty()) {
      text = texts.get("fall.most", text, most);
    }
    return fall.until() == null
        ? text
        : texts.get("fall.until", text, texts.instant(fall.until(), at));
  }

  /** What a blocker is called; of a job that the reader may not see, only that it is one. */
  public String name(Blocker b) {
    return b.name().isEmpty()
        ? texts.get("blocker.hidden")
        : (b.name() + " " + Texts.printable(b.title())).strip();
  }

  /** What a blocker holds and until when, for a reader who sees its name beside it. */
  public String blocker(Blocker b, Instant at) {
    String holds =
        switch (b.holds() == 0 ? "" : b.unit()) {
          case "gres/gpu" -> texts.get("unit.gres", b.holds());
          case "cpu" -> texts.get("unit.cpu", b.holds());
          case "mem" -> texts.get("unit.mem", Memory.format(b.holds()));
          default -> texts.get("unit.node", b.nodes().size());
        };
    Instant until = b.until();
    return switch (b.kind()) {
      case JOB_RUNNING ->
          until == null
              ? texts.get("blocker.running.noEnd", holds)
              : texts.get("blocker.running", holds, texts.instant(until, at));
      case JOB_PLANNED -> texts.get("blocker.planned", holds, end(until, at));
      case RESERVATION -> texts.get("blocker.reservation", holds, end(until, at));
    };
  }

  private String end(@Nullable Instant until, Instant at) {
    return until == null ? texts.duration(-1) : texts.instant(until, at);
  }

  /** How the turn of a job that has started came. */
  public String turn(RunFacts run) {
    return runs.turn(run);
  }

  /** What a job is called that another one holds back; of one that is hidden, that it is one. */
  public String name(RunFacts.HeldBack held) {
    return held.name().isEmpty()
        ? texts.get("blocker.hidden")
        : (held.name() + " " + Texts.printable(held.title())).strip();
  }

  /** When a job that another one holds back starts, and when it would if that one ended now. */
  public String heldBack(RunFacts.HeldBack held, Instant at) {
    return runs.heldBack(held, at);
  }

  /** What a remedy changes. */
  public String remedy(Remedy r) {
    return remedies.remedy(r);
  }

  /** What a remedy brings: when and where the job would start. */
  public String effect(Remedy r, Instant at) {
    return remedies.effect(r, at);
  }

  /** What a remedy costs others. */
  public String cost(Remedy r) {
    return remedies.cost(r);
  }

  /** Who may apply a remedy. */
  public String who(Remedy r) {
    return texts.get(r.byOwner() ? "remedy.owner" : "remedy.operator");
  }

  /** {@code 3 h 10}, {@code 45 min}, {@code 2 d 4 h}; negative means no limit. */
  public String duration(long seconds) {
    return texts.duration(seconds);
  }

  /**
   * {@code 12:40} on the day of {@code now}, {@code Tue 03:20} within a week of it, else with the
   * date.
   */
  public String instant(Instant instant, Instant now) {
    return texts.instant(instant, now);
  }

  /** The whole explanation as text for a ticket or a terminal, one fact a line. */
  public String ticket(Explanation e) {
    return new Ticket(this, texts).of(e);
  }
}
