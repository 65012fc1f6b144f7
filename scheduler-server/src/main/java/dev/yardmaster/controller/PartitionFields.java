package dev.yardmaster.controller;

import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.Memory;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What scontrol(1) changes of a partition beside its nodes, times and lists: memory, CPUs, jobs'
 * defaults, weights, preemption, and what is only kept and shown.
 */
final class PartitionFields {
  private static final Pattern WEIGHT =
      Pattern.compile("(?i)[a-z][\\w/:.-]*=(\\d+(\\.\\d*)?|\\.\\d+)[KMGTP]?");
  private static final Pattern GIVEN_DEFAULT =
      Pattern.compile("(?i)Def(Cpu|Mem)PerGPU=[0-9]{1,15}");
  private static final Pattern MODE =
      Pattern.compile("(?i)(off|cancel|requeue|suspend|within|priority)(,[a-z]+)*");

  private PartitionFields() {}

  /** A partition with one field changed; null when no field is called so. */
  static @Nullable Partition changed(Partition p, String name, String value) {
    return switch (name) {
      case "defmempercpu" -> p.withDefMemPerCpuMib(mib(name, value)).withDefMemPerNodeMib(null);
      case "defmempernode" -> p.withDefMemPerNodeMib(mib(name, value)).withDefMemPerCpuMib(null);
      case "maxmempercpu" -> p.withMaxMemPerCpuMib(mib(name, value)).withMaxMemPerNodeMib(null);
      case "maxmempernode" -> p.withMaxMemPerNodeMib(mib(name, value)).withMaxMemPerCpuMib(null);
      case "maxcpuspernode" ->
          p.withMaxCpusPerNode(unlimited(value) ? Partition.UNLIMITED : (int) number(name, value));
      case "maxcpuspersocket" ->
          other(p, "MaxCPUsPerSocket", unlimited(value) ? "" : Long.toString(number(name, value)));
      case "priority" -> {
        int both = (int) number(name, value);
        yield p.withPriorityTier(both).withPriorityJobFactor(both);
      }
      case "gracetime" -> other(p, "GraceTime", Long.toString(number(name, value)));
      case "preemptmode" -> other(p, "PreemptMode", mode(value));
      case "exclusiveuser" -> p.withExclusiveUser(yes(name, value));
      case "disablerootjobs" -> other(p, "DisableRootJobs", yes(name, value) ? "YES" : "");
      case "powerdownonidle" -> other(p, "PowerDownOnIdle", yes(name, value) ? "YES" : "");
      case "allocnodes" -> other(p, "AllocNodes", value.equalsIgnoreCase("ALL") ? "" : value);
      case "alternate" -> other(p, "Alternate", value.equalsIgnoreCase("NONE") ? "" : value);
      case "cpubind" -> other(p, "CpuBind", value.matches("(?i)off|none|") ? "" : value);
      case "exclusive" -> exclusive(p, value);
      case "exclusivetopo" -> exclusive(p, yes(name, value) ? "TOPO" : "NO");
      case "jobdefaults" -> p.withJobDefaults(jobDefaults(value));
      case "tresbillingweights" -> p.withBillingWeights(weights(value));
      default -> null;
    };
  }

  /** Jobs get whole nodes with NODE and TOPO, and nodes that no other user has with USER. */
  private static Partition exclusive(Partition p, String value) {
    String word = value.toUpperCase(Locale.ROOT);
    boolean whole = word.equals("NODE") || word.equals("TOPO");
    if (!whole && !word.equals("NO") && !word.equals("USER")) {
      throw refusal(
          "Invalid input: exclusive=%s\nAcceptable Exclusive values are NO, NODE, USER, TOPO"
              .formatted(value));
    }
    String share = p.overSubscribe().equals("EXCLUSIVE") ? "NO" : p.overSubscribe();
    return other(p, "ExclusiveTopo", word.equals("TOPO") ? "YES" : "")
        .withOverSubscribe(whole ? "EXCLUSIVE" : share)
        .withExclusiveUser(word.equals("USER"));
  }

  /** Without the setting where its text is empty. */
  private static Partition other(Partition p, String key, String text) {
    TreeMap<String, String> other = new TreeMap<>(p.other());
    if (text.isEmpty()) {
      other.remove(key);
    } else {
      other.put(key, text);
    }
    return p.withOther(Immutable.sortedMap(other));
  }

  /** MiB; null for 0, which is no limit. */
  private static @Nullable Long mib(String name, String value) {
    long mib = Math.min(Memory.MAX_MIB, number(name, value));
    return mib == 0 ? null : mib;
  }

  private static boolean unlimited(String value) {
    return value.toUpperCase(Locale.ROOT).matches("UNLIMITED|INFINITE");
  }

  private static long number(String name, String value) {
    if (!value.matches("[0-9]{1,9}")) {
      throw refusal("Invalid %s value: %s\nit takes a number".formatted(name, value));
    }
    return Long.parseLong(value);
  }

  private static boolean yes(String name, String value) {
    return switch (value.toUpperCase(Locale.ROOT)) {
      case "YES", "1" -> true;
      case "NO", "0" -> false;
      default ->
          throw refusal(
              "Invalid input: %s=%s\nAcceptable values are YES and NO".formatted(name, value));
    };
  }

  /** Preemption of the cluster by turns (GANG) is none of a partition. */
  private static String mode(String value) {
    if (!MODE.matcher(value).matches()) {
      throw refusal("Invalid input: preemptmode=" + value);
    }
    return value.toUpperCase(Locale.ROOT);
  }

  /** DefCpuPerGPU and DefMemPerGPU; none of them for an empty text. */
  private static SortedMap<String, Long> jobDefaults(String value) {
    TreeMap<String, Long> defaults = new TreeMap<>();
    for (String one : value.isEmpty() ? new String[0] : value.split(",", -1)) {
      if (!GIVEN_DEFAULT.matcher(one).matches()) {
        throw refusal(
            "slurm_update error: Invalid JobDefaults specification\n%s: write DefCpuPerGPU=N,DefMemPerGPU=MIB"
                .formatted(value));
      }
      int equals = one.indexOf('=');
      boolean cpu = one.regionMatches(true, 0, "DefCpu", 0, 6);
      defaults.put(
          cpu ? "DefCpuPerGPU" : "DefMemPerGPU", Long.parseLong(one.substring(equals + 1)));
    }
    return Immutable.sortedMap(defaults);
  }

  private static SortedMap<String, String> weights(String value) {
    TreeMap<String, String> weights = new TreeMap<>();
    for (String one : value.isEmpty() ? new String[0] : value.split(",", -1)) {
      if (!WEIGHT.matcher(one).matches()) {
        throw refusal(
            "slurm_update error: Invalid TRESBillingWeights specification\n%s: write as CPU=1.0,Mem=0.25G"
                .formatted(value));
      }
      int equals = one.indexOf('=');
      weights.put(one.substring(0, equals), one.substring(equals + 1));
    }
    return Immutable.sortedMap(weights);
  }

  private static Refusal refusal(String text) {
    return new Refusal(SlurmError.COMMAND_VALUE, text);
  }
}
