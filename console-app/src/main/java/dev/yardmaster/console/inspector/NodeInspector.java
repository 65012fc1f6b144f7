package dev.yardmaster.console.inspector;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.NodeUse;
import dev.yardmaster.console.connect.UnitCount;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.Inspection;
import dev.yardmaster.console.shell.Inspection.Gauge;
import dev.yardmaster.console.shell.Inspection.Link;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.console.theme.AccountPalette;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes what the inspector tells of a node. */
final class NodeInspector {
  private final Terms terms;
  private final AccountPalette accounts;

  NodeInspector(Terms terms, AccountPalette accounts) {
    this.terms = terms;
    this.accounts = accounts;
  }

  Inspection inspect(NodeUse use, Instant now) {
    List<Inspection.Section> sections = new ArrayList<>();
    sections.addAll(state(use, now));
    sections.addAll(hardware(use));
    sections.add(amounts(use));
    sections.addAll(jobs(use));
    sections.addAll(history(use.node().status(), now));
    sections.add(
        new Inspection.Command(
            terms.text(InspectorText.COMMAND), "scontrol show node " + use.name()));
    return new Inspection(terms.text(InspectorText.NODE, use.name()), sections);
  }

  private List<Inspection.Section> state(NodeUse use, Instant now) {
    NodeStatus status = use.node().status();
    Facts facts = new Facts(terms);
    facts.add(
        InspectorText.STATE, terms.sentence(terms.group(use.group())), terms.tone(use.group()));
    facts.mono(InspectorText.FLAGS, slurmState(use));
    facts.add(InspectorText.REASON, status.reason());
    facts.add(InspectorText.SET_BY, status.reasonUser());
    if (status.reasonTime() != null) {
      facts.duration(InspectorText.SINCE, Terms.between(status.reasonTime(), now));
    }
    facts.add(InspectorText.RESERVED_BY, use.reservation() == null ? "" : use.reservation());
    return facts.section(null);
  }

  /** As scontrol prints it: the base state with what jobs make of it, and the flags. */
  private static String slurmState(NodeUse use) {
    NodeStatus status = use.node().status();
    String base = status.base().name();
    if (status.base() == NodeBaseState.IDLE && use.cpusUsed() > 0) {
      base = use.cpusFree() == 0 ? NodeBaseState.ALLOCATED.name() : NodeBaseState.MIXED.name();
    }
    return status.flags().stream()
        .map(NodeFlag::name)
        .reduce(base, (all, flag) -> all + "+" + flag);
  }

  private List<Inspection.Section> hardware(NodeUse use) {
    NodeSpec spec = use.node().spec();
    Facts facts = new Facts(terms);
    facts.mono(
        InspectorText.GPUS,
        spec.gres().stream()
            .filter(gres -> gres.name().equals("gpu"))
            .map(NodeInspector::gpu)
            .collect(Collectors.joining(", ")));
    facts.count(InspectorText.CPUS, spec.cpus());
    facts.add(InspectorText.MEMORY, terms.memory(spec.realMemoryMib()));
    facts.mono(InspectorText.FEATURES, String.join(",", spec.features()));
    return facts.section(InspectorText.REQUEST_OF_NODE);
  }

  private static String gpu(GresDevices gres) {
    return gres.type() == null ? Long.toString(gres.count()) : gres.count() + " × " + gres.type();
  }

  private Inspection.Section amounts(NodeUse use) {
    NodeSpec spec = use.node().spec();
    UnitCount gpus = use.gpus();
    List<Gauge> gauges = new ArrayList<>();
    if (gpus.total() > 0) {
      gauges.add(
          gauge(
              InspectorText.GPUS_ALLOCATED,
              gpus.allocated() + " / " + gpus.total(),
              gpus.allocatedShare()));
    }
    gauges.add(
        gauge(
            InspectorText.CPUS_ALLOCATED,
            use.cpusUsed() + " / " + spec.cpus(),
            share(use.cpusUsed(), spec.cpus())));
    gauges.add(
        gauge(
            InspectorText.MEMORY_ALLOCATED,
            terms.memoryOf(use.memoryUsedMib(), spec.realMemoryMib()),
            share(use.memoryUsedMib(), spec.realMemoryMib())));
    return new Inspection.Meters(terms.text(InspectorText.LIMITS_OF_NODE), gauges);
  }

  private static double share(long used, long total) {
    return total <= 0 ? 0 : (double) used / total;
  }

  private Gauge gauge(InspectorText label, String value, double share) {
    return new Gauge(terms.text(label), value, share, Tone.ACCENT);
  }

  private List<Inspection.Section> jobs(NodeUse use) {
    if (use.jobs().isEmpty()) {
      return new Facts(terms)
          .add(InspectorText.JOBS_HERE, terms.text(InspectorText.NO_JOBS_HERE))
          .section(InspectorText.RELATIONS);
    }
    Map<Job, List<Integer>> gpus = new LinkedHashMap<>();
    use.jobs().forEach(job -> gpus.put(job, new ArrayList<>()));
    for (int i = 0; i < use.gpuJobs().size(); i++) {
      Job job = use.gpuJobs().get(i);
      if (job != null) {
        gpus.computeIfAbsent(job, j -> new ArrayList<>()).add(i);
      }
    }
    List<Link> links = new ArrayList<>();
    gpus.forEach(
        (job, held) ->
            links.add(
                new Link(
                    job.displayId() + " " + job.name(),
                    held.isEmpty() ? "" : terms.text(InspectorText.GPUS) + " " + ranges(held),
                    job.owner().account().isEmpty()
                        ? null
                        : accounts.indexOf(job.owner().account()),
                    Items.job(job))));
    return List.of(new Inspection.Links(terms.text(InspectorText.RELATIONS), links));
  }

  private static String ranges(List<Integer> indices) {
    return IndexSet.of(indices.stream().mapToInt(i -> i).toArray()).toString();
  }

  private List<Inspection.Section> history(NodeStatus status, Instant now) {
    return new Facts(terms)
        .instant(InspectorText.BOOTED, known(status.bootTime()), now)
        .instant(InspectorText.REGISTERED, status.registered(), now)
        .add(InspectorText.VERSION, status.version())
        .section(InspectorText.HISTORY);
  }

  /** Nodes that know no boot time report the beginning of time. */
  private static @Nullable Instant known(@Nullable Instant bootTime) {
    return Instant.EPOCH.equals(bootTime) ? null : bootTime;
  }
}
