package dev.yardmaster.console.inspector;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.JobCommand;
import dev.yardmaster.console.connect.JobSize;
import dev.yardmaster.console.connect.ReasonLog;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.Inspection;
import dev.yardmaster.console.shell.Inspection.Gauge;
import dev.yardmaster.console.shell.Inspection.Link;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.console.theme.AccountPalette;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Partition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes what the inspector tells of a job. */
final class JobInspector {
  private static final int MAX_LINKS = 12;

  private final Terms terms;
  private final AccountPalette accounts;
  private final ReasonLog reasons;

  JobInspector(Terms terms, AccountPalette accounts, ReasonLog reasons) {
    this.reasons = reasons;
    this.terms = terms;
    this.accounts = accounts;
  }

  Inspection inspect(Job job, Snapshot snapshot, Instant now) {
    List<Inspection.Section> sections = new ArrayList<>();
    sections.addAll(state(job, now));
    sections.addAll(request(job));
    sections.addAll(limits(job, snapshot, now));
    sections.addAll(relations(job));
    sections.addAll(history(job, now));
    sections.add(
        new Inspection.Command(
            terms.text(InspectorText.COMMAND), "scontrol show job " + JobCommand.id(job)));
    return new Inspection(terms.text(InspectorText.JOB, job.displayId()), sections);
  }

  private List<Inspection.Section> state(Job job, Instant now) {
    Facts facts = new Facts(terms);
    Tone tone = terms.tone(job);
    facts.add(
        InspectorText.STATE,
        terms.state(job),
        job.state() == JobState.PENDING ? Tone.ATTENTION : tone);
    if (job.state() == JobState.PENDING) {
      facts.add(InspectorText.REASON, terms.reason(job));
      facts.mono(InspectorText.SLURM_REASON, job.reason().text());
      facts.duration(InspectorText.WAITING, Terms.elapsed(job, now));
      facts.instant(
          InspectorText.EXPECTED, job.planned() == null ? null : job.planned().start(), now);
      facts.count(InspectorText.PRIORITY, job.priority());
    } else {
      boolean ended = job.state().isFinished();
      facts.duration(
          ended ? InspectorText.RAN_FOR : InspectorText.RUNNING_FOR, Terms.elapsed(job, now));
      facts.instant(ended ? InspectorText.ENDED : InspectorText.ENDS, job.ended(), now);
      if (ended) {
        facts.add(InspectorText.REASON, terms.reason(job));
      }
    }
    facts.add(InspectorText.USER, job.owner().user());
    facts.add(InspectorText.OF_ACCOUNT, job.owner().account());
    facts.add(InspectorText.IN_PARTITION, String.join(", ", job.partitions()));
    facts.add(InspectorText.QOS, job.owner().qos());
    return facts.section(null);
  }

  private List<Inspection.Section> request(Job job) {
    Facts facts = new Facts(terms);
    facts.count(InspectorText.TASKS, job.taskCount() > 1 ? job.taskCount() : 0);
    facts.count(InspectorText.NODES, JobSize.nodes(job));
    facts.mono(
        InspectorText.GPUS,
        job.request().gres().stream().map(JobInspector::gres).collect(Collectors.joining(", ")));
    facts.count(InspectorText.CPUS, JobSize.cpus(job));
    facts.add(InspectorText.MEMORY, memory(job.request().memory()));
    facts.mono(
        InspectorText.FEATURES,
        job.request().features() == null ? "" : job.request().features().toString());
    facts.add(InspectorText.TIME_LIMIT, terms.limit(job.timeLimitMinutes()));
    facts.mono(InspectorText.SCRIPT, fileName(job.batch().command()));
    return facts.section(InspectorText.REQUEST);
  }

  /** As the option was written: the count belongs to its scope. */
  private static String gres(GresRequest gres) {
    String name = gres.tresName().substring("gres/".length()) + ":" + gres.count();
    return switch (gres.scope()) {
      case NODE -> name + "/node";
      case JOB -> name;
      case SOCKET -> name + "/socket";
      case TASK -> name + "/task";
    };
  }

  private String memory(MemoryRequest memory) {
    if (memory.equals(MemoryRequest.NONE)) {
      return "";
    }
    if (memory.mib() == 0) {
      return terms.text(InspectorText.MEMORY_ALL);
    }
    InspectorText per =
        switch (memory) {
          case MemoryRequest.PerNode n -> InspectorText.MEMORY_PER_NODE;
          case MemoryRequest.PerCpu c -> InspectorText.MEMORY_PER_CPU;
          case MemoryRequest.PerGpu g -> InspectorText.MEMORY_PER_GPU;
        };
    return terms.text(per, terms.memory(memory.mib()));
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private List<Inspection.Section> limits(Job job, Snapshot snapshot, Instant now) {
    List<Gauge> gauges = new ArrayList<>();
    if (job.state() == JobState.RUNNING && job.timeLimitMinutes() > 0) {
      Duration ran = Terms.elapsed(job, now);
      Duration limit = Duration.ofMinutes(job.timeLimitMinutes());
      gauges.add(
          gauge(
              InspectorText.TIME_USED,
              terms.formats().duration(ran) + " / " + terms.formats().duration(limit),
              (double) ran.toSeconds() / limit.toSeconds()));
    }
    Partition partition = snapshot.partitions().get(job.partition());
    if (partition != null && partition.maxTimeMinutes() > 0 && job.timeLimitMinutes() > 0) {
      gauges.add(
          new Gauge(
              terms.text(InspectorText.TIME_MAX),
              terms.limit(job.timeLimitMinutes()) + " / " + terms.limit(partition.maxTimeMinutes()),
              (double) job.timeLimitMinutes() / partition.maxTimeMinutes(),
              // Asking for all that is allowed is no reason to worry.
              job.timeLimitMinutes() > partition.maxTimeMinutes() ? Tone.BLOCKED : Tone.GOOD));
    }
    return gauges.isEmpty()
        ? List.of()
        : List.of(new Inspection.Meters(terms.text(InspectorText.LIMITS), gauges));
  }

  private Gauge gauge(InspectorText label, String value, double share) {
    Tone tone = share > 1 ? Tone.BLOCKED : share > 0.9 ? Tone.ATTENTION : Tone.GOOD;
    return new Gauge(terms.text(label), value, share, tone);
  }

  private List<Inspection.Section> relations(Job job) {
    List<Inspection.Section> sections = new ArrayList<>();
    List<Link> links = new ArrayList<>();
    int more = 0;
    if (job.allocation() != null && job.state() != JobState.PENDING) {
      List<NodeShare> shares = job.allocation().shares();
      more = Math.max(0, shares.size() - MAX_LINKS);
      for (NodeShare share : shares.subList(0, Math.min(shares.size(), MAX_LINKS))) {
        links.add(new Link(share.node(), gpus(share), account(job), Items.node(share.node())));
      }
    }
    Facts facts = new Facts(terms);
    facts.mono(
        InspectorText.DEPENDENCY, job.dependency() == null ? "" : job.dependency().toString());
    facts.mono(
        InspectorText.PLANNED_ON,
        job.state() != JobState.PENDING || job.planned() == null
            ? ""
            : job.planned().nodes().toString());
    facts.mono(
        InspectorText.RUNS_ON,
        job.allocation() != null && job.allocation().shares().size() > MAX_LINKS
            ? job.allocation().nodes().toString()
            : "");
    sections.addAll(facts.section(InspectorText.RELATIONS));
    if (!links.isEmpty()) {
      String title = sections.isEmpty() ? terms.text(InspectorText.RELATIONS) : "";
      String rest = more == 0 ? "" : terms.text(InspectorText.MORE_NODES, more);
      sections.add(new Inspection.Links(title, links, rest));
    }
    return sections;
  }

  private String gpus(NodeShare share) {
    return share.gres().stream()
        .filter(gres -> gres.name().equals("gpu"))
        .map(
            gres ->
                gres.devices().isEmpty()
                    ? terms.text(InspectorText.GPUS) + " " + gres.count()
                    : terms.text(InspectorText.GPUS) + " " + gres.devices())
        .collect(Collectors.joining(", "));
  }

  private @Nullable Integer account(Job job) {
    String account = job.owner().account();
    return account.isEmpty() ? null : accounts.indexOf(account);
  }

  private List<Inspection.Section> history(Job job, Instant now) {
    Facts facts = new Facts(terms);
    facts.instant(InspectorText.SUBMITTED, job.submitted(), now);
    if (!job.submitted().equals(job.eligible())) {
      facts.instant(InspectorText.ELIGIBLE, job.eligible(), now);
    }
    facts.instant(InspectorText.STARTED, job.started(), now);
    if (job.state().isFinished()) {
      facts.mono(InspectorText.EXIT_CODE, job.exitCode().toString());
    }
    facts.count(InspectorText.RESTARTS, job.restarts());
    List<Inspection.Section> sections = new ArrayList<>(facts.section(InspectorText.HISTORY));
    sections.addAll(held(job, now));
    return sections;
  }

  /** What held it, and for how long; nothing while it is the same as ever. */
  private List<Inspection.Section> held(Job job, Instant now) {
    List<ReasonLog.Spell> spells = reasons.of(job);
    List<Inspection.Fact> facts = new ArrayList<>();
    for (int i = 0; i < spells.size(); i++) {
      ReasonLog.Spell spell = spells.get(i);
      Instant until = i + 1 < spells.size() ? spells.get(i + 1).since() : now;
      String lasted = terms.formats().duration(Terms.between(spell.since(), until));
      facts.add(
          Inspection.Fact.of(
              terms.formats().instant(spell.since(), now),
              terms.reason(spell.reason()) + " · " + lasted));
    }
    return facts.isEmpty()
        ? List.of()
        : List.of(new Inspection.Facts(terms.text(InspectorText.WHAT_HELD), facts));
  }
}
