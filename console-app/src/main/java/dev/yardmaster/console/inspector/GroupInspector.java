package dev.yardmaster.console.inspector;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.NodeUse;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.connect.Unit;
import dev.yardmaster.console.connect.UnitCount;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.Inspection;
import dev.yardmaster.console.shell.Inspection.Gauge;
import dev.yardmaster.console.shell.Inspection.Link;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.console.theme.AccountPalette;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.text.HostList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Writes what the inspector tells of things that have many jobs or nodes. */
final class GroupInspector {
  private static final int MAX_LINKS = 8;

  private final Terms terms;
  private final AccountPalette accounts;

  GroupInspector(Terms terms, AccountPalette accounts) {
    this.terms = terms;
    this.accounts = accounts;
  }

  Inspection partition(Partition partition, Snapshot snapshot, Instant now) {
    List<NodeUse> nodes = snapshot.nodesOf(partition);
    UnitCount gpus = snapshot.gpusOf(partition);
    List<Job> jobs =
        snapshot.jobs().stream()
            .filter(job -> job.partitions().contains(partition.name()))
            .toList();
    List<Inspection.Section> sections = new ArrayList<>();
    Facts state = new Facts(terms);
    state.add(
        InspectorText.STATE,
        partition.state().name(),
        partition.state() == PartitionState.UP ? Tone.GOOD : Tone.BLOCKED);
    if (partition.isDefault()) {
      state.add(InspectorText.DEFAULT_PARTITION, terms.text(InspectorText.YES));
    }
    Unit unit = gpus.total() == 0 ? Unit.CPU : Unit.GPU;
    counts(state, jobs, unit, now);
    sections.addAll(state.section(null));
    sections.addAll(
        new Facts(terms)
            .count(InspectorText.NODES, nodes.size())
            .mono(InspectorText.NODE_LIST, fold(partition.nodes()))
            .count(InspectorText.GPUS, gpus.total())
            .add(InspectorText.MAX_TIME, terms.limit(partition.maxTimeMinutes()))
            .add(
                InspectorText.DEFAULT_TIME,
                partition.defaultTimeMinutes() == null
                    ? ""
                    : terms.limit(partition.defaultTimeMinutes()))
            .count(InspectorText.PRIORITY_TIER, partition.priorityTier())
            .mono(InspectorText.ALLOWED_ACCOUNTS, String.join(",", partition.allowAccounts()))
            .section(InspectorText.REQUEST_OF_NODE));
    sections.add(use(gpus, nodes));
    sections.addAll(links(jobs, unit));
    sections.add(command("scontrol show partition " + partition.name()));
    return new Inspection(terms.text(InspectorText.PARTITION, partition.name()), sections);
  }

  private Inspection.Section use(UnitCount gpus, List<NodeUse> nodes) {
    List<Gauge> gauges = new ArrayList<>();
    if (gpus.total() > 0) {
      gauges.add(
          new Gauge(
              terms.text(InspectorText.GPUS_ALLOCATED),
              gpus.allocated() + " / " + gpus.total(),
              gpus.allocatedShare(),
              Tone.ACCENT));
    }
    long cpus = nodes.stream().mapToLong(n -> n.node().spec().cpus()).sum();
    long used = nodes.stream().mapToLong(NodeUse::cpusUsed).sum();
    gauges.add(
        new Gauge(
            terms.text(InspectorText.CPUS_ALLOCATED),
            terms.formats().count(used) + " / " + terms.formats().count(cpus),
            cpus == 0 ? 0 : (double) used / cpus,
            Tone.ACCENT));
    return new Inspection.Meters(terms.text(InspectorText.LIMITS_OF_NODE), gauges);
  }

  Inspection jobsOf(String subject, Predicate<Job> belongs, Snapshot snapshot, Instant now) {
    List<Job> jobs = snapshot.jobs().stream().filter(belongs).toList();
    Unit unit = snapshot.unit();
    long held = jobs.stream().filter(Job::holdsResources).mapToLong(unit::of).sum();
    long total = (unit == Unit.GPU ? snapshot.gpus() : snapshot.cpus()).total();
    List<Inspection.Section> sections = new ArrayList<>();
    Facts state = new Facts(terms);
    counts(state, jobs, unit, now);
    sections.addAll(state.section(null));
    if (total > 0) {
      sections.add(
          new Inspection.Meters(
              terms.text(InspectorText.LIMITS_OF_NODE),
              List.of(
                  new Gauge(
                      terms.text(
                          unit == Unit.GPU
                              ? InspectorText.SHARE_OF_GPUS
                              : InspectorText.SHARE_OF_CPUS),
                      terms.formats().count(held) + " / " + terms.formats().count(total),
                      (double) held / total,
                      Tone.ACCENT))));
    }
    sections.addAll(links(jobs, unit));
    return new Inspection(subject, sections);
  }

  private void counts(Facts facts, List<Job> jobs, Unit unit, Instant now) {
    long waiting = jobs.stream().filter(GroupInspector::isWaiting).mapToLong(Job::taskCount).sum();
    long running = jobs.stream().filter(job -> job.state() == JobState.RUNNING).count();
    facts.add(InspectorText.WAITING_JOBS, terms.formats().count(waiting));
    facts.add(InspectorText.RUNNING_JOBS, terms.formats().count(running));
    facts.count(
        unit == Unit.GPU ? InspectorText.GPUS_ASKED : InspectorText.CPUS_ASKED,
        jobs.stream()
            .filter(GroupInspector::isWaiting)
            .mapToLong(job -> unit.of(job) * job.taskCount())
            .sum());
    jobs.stream()
        .filter(GroupInspector::isWaiting)
        .map(job -> Terms.elapsed(job, now))
        .max(Comparator.naturalOrder())
        .ifPresent((Duration longest) -> facts.duration(InspectorText.LONGEST_WAIT, longest));
  }

  private static boolean isWaiting(Job job) {
    return job.state() == JobState.PENDING;
  }

  /** The largest first, running before waiting. */
  private List<Inspection.Section> links(List<Job> jobs, Unit unit) {
    List<Job> present = jobs.stream().filter(job -> !job.state().isFinished()).toList();
    List<Link> links =
        present.stream()
            .sorted(
                Comparator.comparing(GroupInspector::isWaiting)
                    .thenComparing(Comparator.comparingLong(unit::of).reversed())
                    .thenComparingInt(Job::id))
            .limit(MAX_LINKS)
            .map(job -> link(job, unit))
            .toList();
    int more = present.size() - links.size();
    String rest = more == 0 ? "" : terms.text(InspectorText.MORE_JOBS, more);
    return links.isEmpty()
        ? List.of()
        : List.of(new Inspection.Links(terms.text(InspectorText.MOST_GPUS), links, rest));
  }

  private Link link(Job job, Unit unit) {
    return new Link(
        job.displayId() + " " + job.name(),
        terms.text(unit == Unit.GPU ? InspectorText.GPUS : InspectorText.CPUS)
            + " "
            + terms.formats().count(unit.of(job))
            + " · "
            + terms.state(job),
        job.owner().account().isEmpty() ? null : accounts.indexOf(job.owner().account()),
        Items.job(job));
  }

  Inspection reservation(Reservation reservation, Instant now) {
    List<Inspection.Section> sections = new ArrayList<>();
    sections.addAll(
        new Facts(terms)
            .instant(InspectorText.START, reservation.start(), now)
            .instant(InspectorText.END, reservation.end(), now)
            .duration(
                InspectorText.DURATION, Duration.between(reservation.start(), reservation.end()))
            .mono(InspectorText.RESERVATION_FLAGS, String.join(",", reservation.flags()))
            .section(null));
    sections.addAll(
        new Facts(terms)
            .count(InspectorText.NODES, reservation.nodes().size())
            .mono(InspectorText.NODE_LIST, fold(reservation.nodes()))
            .add(InspectorText.USERS, String.join(", ", reservation.users()))
            .add(InspectorText.ACCOUNTS, String.join(", ", reservation.accounts()))
            .section(InspectorText.REQUEST_OF_NODE));
    sections.add(command("scontrol show reservation " + reservation.name()));
    return new Inspection(terms.text(InspectorText.RESERVATION, reservation.name()), sections);
  }

  private static String fold(List<String> nodes) {
    return nodes.isEmpty() ? "" : HostList.fold(nodes);
  }

  private Inspection.Section command(String line) {
    return new Inspection.Command(terms.text(InspectorText.COMMAND), line);
  }
}
