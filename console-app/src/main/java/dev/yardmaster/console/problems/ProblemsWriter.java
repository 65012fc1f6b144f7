package dev.yardmaster.console.problems;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.NodeGroup;
import dev.yardmaster.console.connect.NodeUse;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.text.HostList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Finds what is wrong or in the way. Immutable; may be used by any thread. */
public final class ProblemsWriter {
  private static final int NAMED_JOBS = 4;

  private final Terms terms;

  public ProblemsWriter(Terms terms) {
    this.terms = terms;
  }

  /** The problems, the gravest first and among equals those that concern most. */
  public List<Problem> problems(Snapshot snapshot) {
    List<Problem> problems = new ArrayList<>();
    problems.addAll(nodes(snapshot));
    problems.addAll(waits(snapshot));
    problems.sort(
        Comparator.comparingInt((Problem p) -> gravity(p.tone()))
            .thenComparing(Comparator.comparingLong(Problem::count).reversed())
            .thenComparing(Problem::key));
    return List.copyOf(problems);
  }

  private static int gravity(Tone tone) {
    return switch (tone) {
      case BLOCKED -> 0;
      case ATTENTION -> 1;
      default -> 2;
    };
  }

  /**
   * Why jobs wait.
   *
   * @param qos whose limit it is; empty when it is none of a QOS
   * @param account whose limit it is; empty when it is none of an account
   * @param user whose share of a limit is used up; empty when the limit is not one of each user
   */
  private record Cause(
      Reason reason, String partition, String qos, String account, String user, boolean helps) {
    static Cause of(Job job) {
      String word = job.reason().text();
      boolean perUser = word.contains("PerUser");
      boolean perAccount = word.contains("PerAccount");
      boolean ofQos = word.startsWith("QOS") || (word.startsWith("Max") && (perUser || perAccount));
      boolean ofAccount = word.startsWith("Assoc") || perAccount;
      return new Cause(
          job.reason(),
          job.partition(),
          ofQos ? job.owner().qos() : "",
          ofAccount ? job.owner().account() : "",
          perUser ? job.owner().user() : "",
          Terms.waitingHelps(job));
    }

    /** The part of a filter that means the same. */
    String filter() {
      return (qos.isEmpty() ? "" : " qos:" + qos)
          + (account.isEmpty() ? "" : " account:" + account)
          + (user.isEmpty() ? "" : " user:" + user);
    }
  }

  private List<Problem> waits(Snapshot snapshot) {
    Map<Cause, List<Job>> groups = new LinkedHashMap<>();
    for (Job job : snapshot.jobs()) {
      if (job.state() == JobState.PENDING && job.reason() != Reason.NONE) {
        groups.computeIfAbsent(Cause.of(job), c -> new ArrayList<>()).add(job);
      }
    }
    List<Problem> problems = new ArrayList<>();
    groups.forEach((cause, jobs) -> problems.add(wait(cause, jobs, snapshot.time())));
    return problems;
  }

  private Problem wait(Cause cause, List<Job> jobs, Instant now) {
    long tasks = jobs.stream().mapToLong(Job::taskCount).sum();
    Duration longest =
        jobs.stream()
            .map(job -> Terms.elapsed(job, now))
            .max(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
    Job first = jobs.stream().max(Comparator.comparingLong(Job::priority)).orElse(jobs.getFirst());
    String names =
        jobs.stream().limit(NAMED_JOBS).map(Job::displayId).collect(Collectors.joining(", "));
    return new Problem(
        "wait/" + cause.reason() + "/" + cause.partition() + "/" + cause.helps() + cause.filter(),
        cause.helps() ? Tone.NEUTRAL : Tone.ATTENTION,
        text(cause, tasks),
        cause.partition(),
        longest,
        terms.text(ProblemsText.WAIT_DETAIL, names, Math.max(0, jobs.size() - NAMED_JOBS)),
        Items.job(first),
        "state:PD reason:"
            + cause.reason().text()
            + " partition:"
            + cause.partition()
            + cause.filter(),
        tasks);
  }

  /** Says whose limit it is, so that it is known where to look. */
  private String text(Cause cause, long tasks) {
    List<String> whose = new ArrayList<>();
    if (!cause.qos().isEmpty()) {
      whose.add(terms.text(ProblemsText.OF_QOS, cause.qos()));
    }
    if (!cause.account().isEmpty()) {
      whose.add(terms.text(ProblemsText.OF_ACCOUNT, cause.account()));
    }
    if (!cause.user().isEmpty()) {
      whose.add(terms.text(ProblemsText.OF_USER, cause.user()));
    }
    String reason = terms.reason(cause.reason());
    return whose.isEmpty()
        ? terms.text(ProblemsText.WAIT, tasks, reason)
        : terms.text(ProblemsText.WAIT_OF, tasks, reason, String.join(", ", whose));
  }

  private record Fault(NodeGroup group, String reason, String by) {}

  private List<Problem> nodes(Snapshot snapshot) {
    Map<Fault, List<NodeUse>> groups = new LinkedHashMap<>();
    for (NodeUse use : snapshot.nodes().values()) {
      if (isFault(use.group())) {
        NodeStatus status = use.node().status();
        Fault fault = new Fault(use.group(), status.reason(), status.reasonUser());
        groups.computeIfAbsent(fault, f -> new ArrayList<>()).add(use);
      }
    }
    List<Problem> problems = new ArrayList<>();
    groups.forEach((fault, uses) -> problems.add(fault(fault, uses, snapshot.time())));
    return problems;
  }

  /** Only somebody who drains a node owes a reason. */
  private static ProblemsText text(Fault fault) {
    if (!fault.reason().isEmpty()) {
      return ProblemsText.NODES;
    }
    return fault.group() == NodeGroup.DRAINED || fault.group() == NodeGroup.DRAINING
        ? ProblemsText.NODES_NO_REASON
        : ProblemsText.NODES_STATE;
  }

  private static boolean isFault(NodeGroup group) {
    return switch (group) {
      case DRAINING, DRAINED, NOT_RESPONDING, DOWN, OTHER -> true;
      case IDLE, MIXED, ALLOCATED, PLANNED, RESERVED, POWER -> false;
    };
  }

  private Problem fault(Fault fault, List<NodeUse> uses, Instant now) {
    String state = terms.group(fault.group(), uses.size());
    String text = terms.text(text(fault), uses.size(), state, fault.reason());
    long gpus = uses.stream().mapToLong(use -> use.gpus().total()).sum();
    String detail = terms.text(ProblemsText.NODES_DETAIL, gpus);
    Duration age =
        uses.stream()
            .map(use -> use.node().status().reasonTime())
            .filter(Objects::nonNull)
            .map(since -> Terms.between(since, now))
            .max(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
    return new Problem(
        "node/" + fault.group() + "/" + fault.reason() + "/" + uses.getFirst().name(),
        fault.group() == NodeGroup.DOWN ? Tone.BLOCKED : Tone.ATTENTION,
        text,
        HostList.fold(uses.stream().map(NodeUse::name).toList()),
        age,
        fault.by().isEmpty() ? detail : terms.text(ProblemsText.NODES_BY, detail, fault.by()),
        Items.node(uses.getFirst().name()),
        "",
        uses.size());
  }
}
