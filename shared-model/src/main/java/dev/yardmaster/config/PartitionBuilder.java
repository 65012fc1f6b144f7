package dev.yardmaster.config;

import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import dev.yardmaster.model.text.Memory;
import dev.yardmaster.model.text.TimeLimits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns PartitionName lines into partitions (slurm.conf(5), "PARTITION CONFIGURATION"). */
final class PartitionBuilder {
  private static final Pattern SHARING = Pattern.compile("NO|EXCLUSIVE|(YES|FORCE)(:\\d+)?");
  private static final Pattern TRES_WEIGHT =
      Pattern.compile("(?i)[a-z][\\w/:.-]*=(\\d+(\\.\\d*)?|\\.\\d+)[KMGTP]?");

  /** Keys that have a component of their own; the rest is kept as written. */
  private static final Set<String> MODELLED =
      Set.of(
          "Nodes",
          "Default",
          "Hidden",
          "State",
          "MaxTime",
          "DefaultTime",
          "MinNodes",
          "MaxNodes",
          "PriorityTier",
          "PriorityJobFactor",
          "Priority",
          "OverSubscribe",
          "Shared",
          "RootOnly",
          "ReqResv",
          "LLN",
          "ExclusiveUser",
          "AllowAccounts",
          "DenyAccounts",
          "AllowGroups",
          "AllowQos",
          "DenyQos",
          "QOS",
          "DefMemPerCPU",
          "DefMemPerNode",
          "MaxMemPerCPU",
          "MaxMemPerNode",
          "MaxCPUsPerNode",
          "DefCPUPerGPU",
          "DefMemPerGPU",
          "TRESBillingWeights");

  private final Statements conf;
  private final NodeSets nodeSets;
  private final Findings findings;

  PartitionBuilder(Statements conf, NodeSets nodeSets, Findings findings) {
    this.conf = conf;
    this.nodeSets = nodeSets;
    this.findings = findings;
  }

  List<Partition> build() {
    Map<String, Partition> partitions = new LinkedHashMap<>();
    Map<String, Setting> heads = new LinkedHashMap<>();
    Setting chosen = null;
    for (Block line : conf.blocks(Section.PARTITION)) {
      Setting head = line.head();
      Setting earlier = heads.putIfAbsent(head.value(), head);
      if (earlier != null) {
        findings.fatal(
            head,
            "also described at " + earlier.file() + ":" + earlier.line(),
            "describe each partition once");
        continue;
      }
      Partition partition = partition(line);
      if (partition.isDefault()) {
        if (chosen != null) {
          findings.warn(
              line.orHead("Default"),
              "partition "
                  + chosen.value()
                  + " is the default, too; the last one, "
                  + head.value()
                  + ", is used",
              "write Default=YES on one partition");
          partitions.computeIfPresent(chosen.value(), (n, p) -> p.withIsDefault(false));
        }
        chosen = head;
      }
      partitions.put(partition.name(), partition);
    }
    return List.copyOf(partitions.values());
  }

  private Partition partition(Block line) {
    Optional<Setting> nodes = line.get("Nodes");
    List<String> members = nodes.map(nodeSets::resolve).orElse(List.of());
    if (nodes.isEmpty()) {
      findings.info(line.head(), "the partition has no nodes", "write Nodes= when it should");
    }
    String exclusive = upper(line, "Exclusive").orElse("");
    boolean user =
        exclusive.equals("USER") || (exclusive.isEmpty() && truth(line, "ExclusiveUser"));
    boolean topo =
        exclusive.equals("TOPO") || (exclusive.isEmpty() && truth(line, "ExclusiveTopo"));
    long maxTime = minutes(line, "MaxTime").orElse((long) Partition.UNLIMITED);
    int both = (int) number(line, "Priority", -1);
    return new Partition(
        line.head().value(),
        members,
        nodes.map(Setting::value).orElse(""),
        truth(line, "Default"),
        truth(line, "Hidden"),
        upper(line, "State").map(PartitionState::valueOf).orElse(PartitionState.UP),
        maxTime,
        defaultTime(line, maxTime),
        (int) Math.min(Integer.MAX_VALUE, number(line, "MinNodes", 0)),
        limit(line, "MaxNodes"),
        both >= 0 ? both : (int) number(line, "PriorityTier", 1),
        both >= 0 ? both : (int) number(line, "PriorityJobFactor", 1),
        overSubscribe(line, exclusive, topo),
        truth(line, "RootOnly"),
        truth(line, "ReqResv"),
        truth(line, "LLN"),
        user && !topo,
        names(line, "AllowAccounts", true),
        denied(line, "AllowAccounts", "DenyAccounts"),
        names(line, "AllowGroups", false),
        names(line, "AllowQos", true),
        denied(line, "AllowQos", "DenyQos"),
        line.get("QOS").map(Setting::value).orElse(null),
        exclusiveMemory(line, "DefMemPerNode", "DefMemPerCPU"),
        memory(line, "DefMemPerNode"),
        exclusiveMemory(line, "MaxMemPerNode", "MaxMemPerCPU"),
        memory(line, "MaxMemPerNode"),
        limit(line, "MaxCPUsPerNode"),
        jobDefaults(line),
        billingWeights(line),
        other(line));
  }

  private String overSubscribe(Block line, String exclusive, boolean topo) {
    Setting given = line.get("OverSubscribe").or(() -> line.get("Shared")).orElse(null);
    String sharing = "NO";
    if (given != null) {
      sharing = given.value().toUpperCase(Locale.ROOT);
      if (!SHARING.matcher(sharing).matches()) {
        findings.fatal(given, "not an allowed value", "allowed: NO, EXCLUSIVE, YES[:n], FORCE[:n]");
        sharing = "NO";
      } else if (sharing.matches("YES:0*[01]|FORCE:0+")) {
        findings.error(given, "the count is too small; NO is used", "write a count of 2 or more");
        sharing = "NO";
      }
    }
    if (exclusive.equals("NODE") || topo) {
      return "EXCLUSIVE";
    }
    return exclusive.startsWith("NO") && sharing.equals("EXCLUSIVE") ? "NO" : sharing;
  }

  private @Nullable Long defaultTime(Block line, long maxTime) {
    Optional<Long> time = minutes(line, "DefaultTime");
    if (time.isEmpty()) {
      return null;
    }
    boolean longer = maxTime != TimeLimits.UNLIMITED && (time.get() < 0 || time.get() > maxTime);
    if (longer) {
      findings.warn(
          line.orHead("DefaultTime"),
          "longer than MaxTime=" + line.orHead("MaxTime").value() + " and not used",
          "write a shorter time");
      return null;
    }
    return time.get();
  }

  private List<String> names(Block line, String key, boolean lowerCase) {
    Setting given = line.settings().get(key);
    if (given == null || given.value().equalsIgnoreCase("ALL")) {
      return List.of();
    }
    return Values.list(lowerCase ? given.value().toLowerCase(Locale.ROOT) : given.value());
  }

  private List<String> denied(Block line, String allow, String deny) {
    List<String> denied = names(line, deny, true);
    if (!denied.isEmpty() && !names(line, allow, true).isEmpty()) {
      findings.warn(
          line.orHead(deny), "has no effect beside " + allow, "remove " + deny + " or " + allow);
      return List.of();
    }
    return denied;
  }

  /** The memory setting per CPU, unless the one per node excludes it. */
  private @Nullable Long exclusiveMemory(Block line, String perNode, String perCpu) {
    Long memory = memory(line, perCpu);
    if (memory != null && line.settings().containsKey(perNode)) {
      findings.warn(
          line.orHead(perCpu), "has no effect beside " + perNode, "remove one of the two");
      return null;
    }
    return memory;
  }

  private static @Nullable Long memory(Block line, String key) {
    long mib = raw(line, key, 0);
    return mib > 0 ? Math.min(Memory.MAX_MIB, mib) : null;
  }

  private static SortedMap<String, Long> jobDefaults(Block line) {
    SortedMap<String, Long> defaults = new TreeMap<>();
    line.get("DefCPUPerGPU").ifPresent(s -> defaults.put("DefCpuPerGPU", number(line, s.key(), 0)));
    line.get("DefMemPerGPU").ifPresent(s -> defaults.put("DefMemPerGPU", number(line, s.key(), 0)));
    return Immutable.sortedMap(defaults);
  }

  private SortedMap<String, String> billingWeights(Block line) {
    SortedMap<String, String> weights = new TreeMap<>();
    Setting given = line.settings().get("TRESBillingWeights");
    for (String weight : given == null ? List.<String>of() : Values.list(given.value())) {
      int equals = weight.indexOf('=');
      if (TRES_WEIGHT.matcher(weight).matches()) {
        weights.put(weight.substring(0, equals), weight.substring(equals + 1));
      } else {
        findings.fatal(
            line.orHead("TRESBillingWeights"),
            "\"" + weight + "\" is not a weight",
            "write for example CPU=1.0,Mem=0.25G,GRES/gpu=8");
      }
    }
    return Immutable.sortedMap(weights);
  }

  private static SortedMap<String, String> other(Block line) {
    SortedMap<String, String> other = new TreeMap<>();
    line.settings()
        .forEach(
            (key, setting) -> {
              if (!MODELLED.contains(key)) {
                other.put(key, setting.value());
              }
            });
    return Immutable.sortedMap(other);
  }

  private static Optional<Long> minutes(Block line, String key) {
    return line.get(key).map(s -> TimeLimits.parseMinutes(s.value()));
  }

  private static boolean truth(Block line, String key) {
    return line.get(key).flatMap(s -> Values.bool(s.value())).orElse(false);
  }

  private static Optional<String> upper(Block line, String key) {
    return line.get(key).map(s -> s.value().toUpperCase(Locale.ROOT));
  }

  /** A number; UNLIMITED is as much as the record holds. */
  private static long number(Block line, String key, long fallback) {
    long number = raw(line, key, fallback);
    boolean unlimited = number == Values.UNLIMITED && line.settings().containsKey(key);
    return unlimited ? Integer.MAX_VALUE : Math.min(Memory.MAX_MIB, number);
  }

  private static long raw(Block line, String key, long fallback) {
    return line.get(key).map(s -> Values.whole(s.value(), true).orElse(fallback)).orElse(fallback);
  }

  private static int limit(Block line, String key) {
    long limit = raw(line, key, Values.UNLIMITED);
    return limit == Values.UNLIMITED
        ? Partition.UNLIMITED
        : (int) Math.min(Integer.MAX_VALUE, limit);
  }
}
