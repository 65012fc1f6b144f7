package dev.yardmaster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.explain.Explainer;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Forecast;
import dev.yardmaster.explain.Words;
import dev.yardmaster.model.HetInfo;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import dev.yardmaster.model.PriorityPolicy;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.Topology;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A script of a cluster, what is done to it, and what is to be seen. One statement a line:
 *
 * <pre>
 * start 2026-11-29T12:00:00Z        when it begins
 * node n[1-6] [weight=2] [features=a,b] [cpus=16 sockets=2 threads=1] [mem=64000] [gpu=h100:8]
 *            [gpucores=0-7,0-7,8-15,8-15]
 *            [gpulinks=-1,4/4,-1]
 * partition main n[1-6] [default] [tier=2] [maxtime=60] [maxnodes=2] [state=DOWN] [exclusive]
 * switch leaf1 nodes=n[1-4] | switch core switches=leaf[1-2]
 * block b1 n[1-4] | blocksizes 4,8
 * set weight=age:1000 | set flags=ACCRUE_ALWAYS,NO_NORMAL_QOS     PriorityWeight…, PriorityFlags
 * topology NAME 2,4 b1=n[1-2] …    a further topology of blocks, for a partition with topology=NAME
 * set bf_window=30 | conf OverTimeLimit 10 | license lic1 4
 * sub NAME options                  sbatch's options
 * period                            a PriorityCalcPeriod ends
 * wait 3 | pass                     seconds; all passes (wait does the same when things happen)
 * pass main|whole                   the main pass alone; that over the whole queue
 * drain n1 | down n1 | up n1 | part main DOWN | cancel NAME | end NAME | fail NAME
 * together NAME NAME…              the jobs just submitted are one heterogeneous job
 * suspend NAME | resume NAME | worked NAME 60   by hand; how many seconds it has run
 * ends NAME 12:20:00                when it has ended or reaches its limit
 * completing NAME | released NAME | requeue NAME
 * limit NAME 120 | hold NAME | release NAME | priority NAME 9
 * reserve NAME +30 60 n[1-2] user [flags]     start in minutes, minutes
 * prio NAME 4294967294                     its priority as shown
 * between NAME 2026-11-29T12:20:00Z 2026-11-29T12:30:00Z   likely
 * starts NAME 2026-11-29T12:20:00Z | starts NAME unknown    as forecast by limits
 * likely NAME 12:20:00 | likely NAME unknown
 * preempted NAME by REQUEUE | stuck NAME      its nodes clean up only when it is released
 * qos NAME [priority=10] [preempt=a,b] [mode=cancel] [grace=60] [exempt=60]
 * resv NAME cores=n1:0-3 gres=gpu:4 licenses=lic1:2 users=-bob accounts=x zone=Europe/Paris
 * expect NAME R n[1-2]              as {@link Lab#show}
 * number NAME 2                     so many nodes are shown of it while it waits
 * why NAME SOON NODES_FREE_GRES | blockers NAME [title:holds, …] | remedies NAME [LEVER, …]
 * remedy NAME LEVER command         NAME's id may be written job=NAME
 * gpus NAME n1:0-3 | cores NAME n1:0-3 | runlimit NAME 59
 * says NAME words of the explanation
 * heldback NAME [names of the jobs that would start earlier if it ended now]
 * acct add account prod            what sacctmgr would be told | throttle NAME 2
 * </pre>
 */
final class Scenario {
  private final Lab.Builder builder = Lab.with();
  private final List<Topology.Switch> switches = new ArrayList<>();
  private final List<Topology.BlockUnit> blocks = new ArrayList<>();
  private final List<Topology.BlockUnit> rings = new ArrayList<>();
  private List<Integer> blockSizes = List.of();
  private final SortedMap<String, Integer> ids = new TreeMap<>();
  private @Nullable Lab lab;

  static void run(List<String> lines) {
    Scenario scenario = new Scenario();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      try {
        scenario.line(List.of(line.split(" +")), line);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("line " + (i + 1) + ": " + line + "\n" + e.getMessage(), e);
      }
    }
  }

  private void line(List<String> words, String line) {
    List<String> rest = words.subList(1, words.size());
    switch (words.getFirst()) {
      case "start" -> builder.start(Instant.parse(rest.getFirst()));
      case "node" -> builder.nodes(rest.getFirst(), spec -> ScenarioNodes.node(spec, rest));
      case "partition" -> builder.partition(rest.getFirst(), rest.get(1), p -> partition(p, rest));
      case "switch" -> addSwitch(rest);
      case "block" ->
          blocks.add(new Topology.BlockUnit(rest.getFirst(), HostList.parse(rest.get(1)).expand()));
      case "blocksizes" ->
          blockSizes = Arrays.stream(rest.getFirst().split(",")).map(Integer::valueOf).toList();
      case "ring" ->
          rings.add(new Topology.BlockUnit(rest.getFirst(), HostList.parse(rest.get(1)).expand()));
      case "torus" -> builder.topology(new Topology.Torus("default", List.of(torus(rest))));
      case "topology" -> builder.otherTopology(other(rest));
      case "license" -> builder.license(rest.getFirst(), Integer.parseInt(rest.get(1)));
      case "set" -> set(rest.getFirst());
      case "conf" -> builder.setting(rest.getFirst(), rest.get(1));
      default -> act(words.getFirst(), rest, line);
    }
  }

  private static void pass(Lab lab, String kind) {
    switch (kind) {
      case "" -> lab.pass();
      case "main" -> lab.pass(Pass.HOUSEKEEPING, Pass.MAIN);
      case "backfill" -> lab.pass(Pass.HOUSEKEEPING, Pass.BACKFILL);
      case "whole" -> lab.pass(Pass.HOUSEKEEPING, Pass.MAIN, Pass.WHOLE_QUEUE);
      default -> throw new IllegalArgumentException("pass " + kind);
    }
  }

  private void act(String word, List<String> rest, String line) {
    Lab now = lab();
    String name = rest.isEmpty() ? "" : rest.getFirst();
    switch (word) {
      case "sub" -> {
        JobSpec spec = JobSpec.parse(name, rest.subList(1, rest.size()), now.now());
        ids.put(name, now.submit(spec));
      }
      case "wait" -> {
        now.advance(now.now().plusMillis(Math.round(1000 * Double.parseDouble(name))));
        now.pass();
      }
      case "pass" -> pass(now, name);
      case "period" -> now.periodEnds();
      case "drain", "down", "up" -> now.node(name, word);
      case "part" -> now.partition(name, PartitionState.valueOf(rest.get(1)));
      case "cancel" -> now.cancel(id(name));
      case "end" -> now.finish(id(name), dev.yardmaster.model.JobState.COMPLETED);
      case "fail" -> now.finish(id(name), dev.yardmaster.model.JobState.FAILED);
      case "completing" -> now.completing(id(name));
      case "released" -> now.released(id(name));
      case "requeue" -> now.requeue(id(name));
      case "together" -> {
        for (int i = 0; i < rest.size(); i++) {
          HetInfo het = new HetInfo(id(name), i, rest.size());
          now.edit(id(rest.get(i)), j -> j.withHet(het));
        }
      }
      case "suspend", "resume" -> now.suspend(id(name), word.equals("resume"));
      case "worked" ->
          assertThat(now.job(id(name)).worked(now.now()).toSeconds())
              .isEqualTo(Long.parseLong(rest.get(1)));
      case "ends" ->
          assertThat(String.valueOf(now.job(id(name)).ended())).contains(after(line, name));
      case "limit" -> now.limit(id(name), TimeLimits.parseMinutes(rest.get(1)));
      case "hold" -> now.edit(id(name), j -> j.withHold(dev.yardmaster.model.Hold.ADMIN));
      case "release" -> now.edit(id(name), j -> j.withHold(dev.yardmaster.model.Hold.NONE));
      case "priority" -> now.edit(id(name), j -> j.withDirectPriority(Long.parseLong(rest.get(1))));
      case "reserve" ->
          now.reserve(
              name,
              now.now().plusSeconds(60L * Integer.parseInt(rest.get(1).substring(1))),
              Integer.parseInt(rest.get(2)),
              rest.get(3),
              rest.get(4),
              rest.size() > 5 ? rest.get(5).split(",") : new String[0]);
      case "qos" -> now.qos(qos(rest));
      case "acct" -> now.accounts(rest);
      case "sitefactor" -> now.edit(id(name), j -> j.withSiteFactor(Integer.parseInt(rest.get(1))));
      case "throttle" -> now.throttle(id(name), Integer.parseInt(rest.get(1)));
      case "prio" ->
          assertThat(now.job(id(name)).priority()).isEqualTo(Long.parseLong(rest.get(1)));
      case "likely" -> {
        Forecast forecast = Explainer.explain(now.state(), id(name), now.now()).forecast();
        Instant likely = forecast == null ? null : forecast.likely();
        assertThat(likely == null ? "unknown" : likely.toString()).contains(after(line, name));
      }
      case "between" -> {
        Forecast forecast = Explainer.explain(now.state(), id(name), now.now()).forecast();
        assertThat(forecast == null ? "" : forecast.earliest() + " " + forecast.latest())
            .isEqualTo(after(line, name));
      }
      case "starts" -> {
        Forecast forecast = Explainer.explain(now.state(), id(name), now.now()).forecast();
        Instant start = forecast == null ? null : forecast.byLimits();
        assertThat(start == null ? "unknown" : start.toString()).isEqualTo(after(line, name));
      }
      case "preempted" ->
          assertThat(now.preemption(id(name))).isEqualTo(id(rest.get(1)) + " " + rest.get(2));
      case "stuck" -> now.stick(id(name));
      case "resv" -> now.changeReservation(name, r -> reservation(r, rest));
      case "expect" -> assertThat(now.show(id(name))).isEqualTo(after(line, name));
      case "lasts" ->
          assertThat(now.state().job(id(name)))
              .satisfies(
                  job ->
                      assertThat(job.timeLimitMinutes())
                          .isEqualTo(TimeLimits.parseMinutes(after(line, name))));
      case "planned" -> assertThat(now.planned()).isEqualTo(name);
      case "number" ->
          assertThat(now.job(id(name)).expectedNodes()).isEqualTo(Integer.parseInt(rest.get(1)));
      case "gpus" -> assertThat(now.gpus(id(name))).isEqualTo(after(line, name));
      case "cores" -> assertThat(now.cores(id(name))).isEqualTo(after(line, name));
      case "why" -> {
        Explanation e = Explainer.explain(now.state(), id(name), now.now());
        assertThat(e.verdict() + " " + e.binding()).isEqualTo(after(line, name));
      }
      case "says" -> {
        Explanation e = Explainer.explain(now.state(), id(name), now.now());
        assertThat(Words.of(Locale.ENGLISH, ZoneOffset.UTC).ticket(e))
            .contains(after(line, name).replaceAll("job=NAME", "job=" + id(name)));
      }
      case "heldback" -> {
        Explanation e = Explainer.explain(now.state(), id(name), now.now());
        assertThat(e.run())
            .satisfies(
                run ->
                    assertThat(run.heldBack().stream().map(h -> h.title()).toList())
                        .hasToString(after(line, name)));
      }
      case "fails" ->
          assertThat(gates(now, name, dev.yardmaster.explain.Outcome.FAIL))
              .hasToString(after(line, name));
      case "unreached" ->
          assertThat(gates(now, name, dev.yardmaster.explain.Outcome.NOT_REACHED))
              .hasToString(after(line, name));
      case "placed" ->
          assertThat(
                  Explainer.explain(now.state(), id(name), now.now())
                      .finding(dev.yardmaster.explain.Gate.TOPOLOGY)
                      .map(f -> f.evidence()))
              .map(String::valueOf)
              .hasValueSatisfying(text -> assertThat(text).contains(after(line, name)));
      case "blockers" -> {
        Explanation e = Explainer.explain(now.state(), id(name), now.now());
        assertThat(e.blockers().stream().map(b -> b.title() + ":" + b.holds()).toList())
            .hasToString(after(line, name));
      }
      case "remedy" -> {
        Explanation e = Explainer.explain(now.state(), id(name), now.now());
        assertThat(e.remedies().stream().map(r -> r.lever() + " " + r.command()).toList())
            .contains(after(line, name).replaceAll("job=NAME", "job=" + id(name)));
      }
      case "remedies" -> {
        Explanation e = Explainer.explain(now.state(), id(name), now.now());
        assertThat(e.remedies().stream().map(r -> r.lever().name()).toList())
            .hasToString(after(line, name));
      }
      case "runlimit" ->
          assertThat(now.job(id(name)).timeLimitMinutes()).isEqualTo(Long.parseLong(rest.get(1)));
      default -> throw new IllegalArgumentException("no such statement");
    }
  }

  private List<dev.yardmaster.explain.Gate> gates(
      Lab now, String name, dev.yardmaster.explain.Outcome outcome) {
    return Explainer.explain(now.state(), id(name), now.now()).findings().stream()
        .filter(f -> f.outcome() == outcome)
        .map(f -> f.gate())
        .toList();
  }

  private static String after(String line, String name) {
    return line.substring(line.indexOf(" " + name + " ") + name.length() + 2).strip();
  }

  private int id(String name) {
    Integer id = ids.get(name);
    if (id == null) {
      int task = name.lastIndexOf('_');
      Integer array = task < 0 ? null : ids.get(name.substring(0, task));
      if (array == null) {
        throw new IllegalArgumentException("no job " + name);
      }
      return lab().task(array, Integer.parseInt(name.substring(task + 1)));
    }
    return id;
  }

  private Lab lab() {
    if (lab == null) {
      if (!switches.isEmpty()) {
        builder.topology(new Topology.Tree("default", switches));
      }
      if (!blocks.isEmpty()) {
        builder.topology(new Topology.Block("default", blocks, blockSizes));
      }
      if (!rings.isEmpty()) {
        builder.topology(new Topology.Ring("default", rings));
      }
      lab = builder.build();
    }
    return lab;
  }

  /** {@code torus NAME 4x2x2 NODES BOX…}, a box being {@code 2x2x1[@SEED[/SPACING]]}. */
  private static Topology.TorusUnit torus(List<String> words) {
    List<Topology.Box> boxes = new ArrayList<>();
    for (String word : words.subList(3, words.size())) {
      String[] parts = word.split("[@/]", -1);
      Topology.Triple size = triple(parts[0]);
      Topology.Triple seed = parts.length > 1 ? triple(parts[1]) : triple("0x0x0");
      boxes.add(new Topology.Box(size, seed, parts.length > 2 ? triple(parts[2]) : size));
    }
    return new Topology.TorusUnit(
        words.getFirst(), triple(words.get(1)), HostList.parse(words.get(2)).expand(), boxes);
  }

  private static Topology.Triple triple(String text) {
    List<Integer> counts = java.util.Arrays.stream(text.split("x")).map(Integer::valueOf).toList();
    return new Topology.Triple(counts.get(0), counts.get(1), counts.get(2));
  }

  private static Topology other(List<String> words) {
    List<Topology.BlockUnit> units = new ArrayList<>();
    for (String word : words.subList(2, words.size())) {
      String[] parts = word.split("=", 2);
      units.add(new Topology.BlockUnit(parts[0], HostList.parse(parts[1]).expand()));
    }
    List<Integer> sizes = Arrays.stream(words.get(1).split(",")).map(Integer::valueOf).toList();
    return new Topology.Block(words.getFirst(), units, sizes);
  }

  private static Reservation reservation(Reservation r, List<String> words) {
    Reservation changed = r;
    for (String word : words.subList(1, words.size())) {
      String value = word.substring(word.indexOf('=') + 1);
      changed =
          switch (word.substring(0, word.indexOf('='))) {
            case "cores" -> {
              TreeMap<String, IndexSet> cores = new TreeMap<>(changed.cores());
              cores.put(value.replaceAll(":.*", ""), IndexSet.parse(value.replaceAll(".*:", "")));
              yield changed.withCores(cores);
            }
            case "gres" ->
                changed.withGres(
                    new TreeMap<>(
                        java.util.Map.of(
                            "gres/" + value.substring(0, value.lastIndexOf(':')),
                            Long.parseLong(value.substring(value.lastIndexOf(':') + 1)))));
            case "licenses" ->
                changed.withLicenses(
                    new TreeMap<>(
                        java.util.Map.of(
                            value.replaceAll(":.*", ""),
                            Integer.parseInt(value.replaceAll(".*:", "")))));
            case "delay" -> changed.withMaxStartDelaySeconds(Long.parseLong(value));
            case "users" -> changed.withUsers(names(value));
            case "accounts" -> changed.withAccounts(names(value));
            case "groups" -> changed.withGroups(names(value));
            case "zone" -> changed.withZone(value);
            default -> throw new IllegalArgumentException(word);
          };
    }
    return changed;
  }

  private static SortedMap<String, String> put(
      SortedMap<String, String> before, String key, String value) {
    TreeMap<String, String> after = new TreeMap<>(before);
    after.put(key, value);
    return after;
  }

  private static Qos qos(List<String> words) {
    Qos qos = Qos.of(words.getFirst().hashCode(), words.getFirst());
    for (String word : words.subList(1, words.size())) {
      String value = word.substring(word.indexOf('=') + 1);
      qos =
          switch (word.substring(0, word.indexOf('='))) {
            case "priority" -> qos.withPriority(Long.parseLong(value));
            case "preempt" -> qos.withPreempt(names(value));
            case "mode" -> qos.withPreemptMode(value);
            case "grace" -> qos.withGraceSeconds(Long.parseLong(value));
            case "exempt" -> qos.withPreemptExemptSeconds(Long.parseLong(value));
            default -> throw new IllegalArgumentException(word);
          };
    }
    return qos;
  }

  private static List<String> names(String value) {
    return value.isEmpty() ? List.of() : List.of(value.split(","));
  }

  private static Partition partition(Partition p, List<String> words) {
    Partition changed = p;
    for (String word : words.subList(2, words.size())) {
      String value = word.substring(word.indexOf('=') + 1);
      changed =
          switch (word.replaceAll("=.*", "")) {
            case "default" -> changed.withIsDefault(true);
            case "tier" -> changed.withPriorityTier(Integer.parseInt(value));
            case "jobfactor" -> changed.withPriorityJobFactor(Integer.parseInt(value));
            case "maxtime" -> changed.withMaxTimeMinutes(TimeLimits.parseMinutes(value));
            case "maxnodes" -> changed.withMaxNodes(Integer.parseInt(value));
            case "minnodes" -> changed.withMinNodes(Integer.parseInt(value));
            case "state" -> changed.withState(PartitionState.valueOf(value));
            case "exclusive" -> changed.withOverSubscribe("EXCLUSIVE");
            case "topology" -> changed.withOther(new TreeMap<>(Map.of("Topology", value)));
            case "oversubscribe" -> changed.withOverSubscribe(value);
            case "exclusiveuser" -> changed.withExclusiveUser(true);
            case "maxcpuspersocket" ->
                changed.withOther(new TreeMap<>(Map.of("MaxCPUsPerSocket", value)));
            case "lln" -> changed.withLln(true);
            case "maxcpuspernode" -> changed.withMaxCpusPerNode(Integer.parseInt(value));
            case "preemptmode" -> changed.withOther(put(changed.other(), "PreemptMode", value));
            case "grace" -> changed.withOther(put(changed.other(), "GraceTime", value));
            case "allowaccounts" -> changed.withAllowAccounts(List.of(value.split(",")));
            default -> throw new IllegalArgumentException(word);
          };
    }
    return changed;
  }

  private void addSwitch(List<String> rest) {
    List<String> nodes = List.of();
    List<String> children = List.of();
    for (String word : rest.subList(1, rest.size())) {
      List<String> names = HostList.parse(word.substring(word.indexOf('=') + 1)).expand();
      if (word.startsWith("nodes=")) {
        nodes = names;
      } else {
        children = names;
      }
    }
    switches.add(new Topology.Switch(rest.getFirst(), children, nodes));
  }

  /** {@code KIND:NUMBER}. */
  private static PriorityPolicy weighed(PriorityPolicy p, String value) {
    String[] parts = value.split(":");
    long weight = Long.parseLong(parts[1]);
    return switch (parts[0]) {
      case "age" -> p.withWeightAge(weight);
      case "size" -> p.withWeightJobSize(weight);
      case "partition" -> p.withWeightPartition(weight);
      case "qos" -> p.withWeightQos(weight);
      case "assoc" -> p.withWeightAssoc(weight);
      case "share" -> p.withWeightFairShare(weight);
      case "maxage" -> p.withMaxAgeSeconds(weight);
      case "calcperiod" -> p.withCalcPeriodSeconds(weight);
      default -> p.withWeightTres(new TreeMap<>(Map.of(parts[0], weight)));
    };
  }

  private void set(String word) {
    String key = word.replaceAll("=.*", "");
    String value = word.contains("=") ? word.substring(word.indexOf('=') + 1) : "";
    builder.scheduling(
        p -> {
          TreeMap<String, String> parameters = new TreeMap<>(p.parameters());
          parameters.put(key, value);
          var more = p.withParameters(parameters);
          return switch (key.toLowerCase(Locale.ROOT)) {
            case "bf_window" -> more.withBfWindowMinutes(Integer.parseInt(value));
            case "bf_resolution" -> more.withBfResolutionSeconds(Integer.parseInt(value));
            case "bf_max_job_user" -> more.withBfMaxJobUser(Integer.parseInt(value));
            case "bf_max_job_part" -> more.withBfMaxJobPart(Integer.parseInt(value));
            case "bf_max_job_assoc" -> more.withBfMaxJobAssoc(Integer.parseInt(value));
            case "bf_max_job_start" -> more.withBfMaxJobStart(Integer.parseInt(value));
            case "bf_max_job_test" -> more.withBfMaxJobTest(Integer.parseInt(value));
            case "default_queue_depth" -> more.withDefaultQueueDepth(Integer.parseInt(value));
            case "builtin" -> more.withBackfill(false);
            case "linear" -> more.with(b -> b.linear(true));
            case "cr_cpu" -> more.withCountsCores(false);
            case "select" -> more.withSelectParameters(Set.of(value.split(",")));
            case "cr_lln" -> more.withPacksLeastLoaded(true);
            case "nomemory" -> more.withCountsMemory(false);
            default -> more;
          };
        });
    if (key.equals("flags")) {
      builder.priority(p -> p.withFlags(Set.of(value.split(","))));
    } else if (key.equals("weight")) {
      builder.priority(p -> weighed(p, value));
    } else if (key.equals("favorsmall")) {
      builder.priority(p -> p.withFavorSmall(true));
    } else if (key.equals("basic")) {
      builder.priority(p -> p.withMultifactor(false));
    }
  }
}
