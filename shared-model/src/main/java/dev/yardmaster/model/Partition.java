package dev.yardmaster.model;

import dev.yardmaster.model.text.AccountingNames;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A partition as slurm.conf(5) defines it. Times are minutes; {@link #UNLIMITED} stands for
 * UNLIMITED or INFINITE.
 *
 * @param nodes names of its nodes in configuration order, node sets and ALL resolved
 * @param nodesText what the file says, for printing
 * @param defaultTimeMinutes DefaultTime; null when not given (the maximum applies)
 * @param maxNodes {@link #UNLIMITED} when not limited
 * @param priorityTier jobs of a higher tier are looked at first
 * @param priorityJobFactor feeds the partition factor of the priority
 * @param overSubscribe EXCLUSIVE, FORCE[:n], YES[:n] or NO; upper case
 * @param allowAccounts empty when all are allowed; the same for the other Allow lists
 * @param defMemPerCpuMib null when not given; at most one of the two memory defaults is set
 * @param jobDefaults JobDefaults: DefCpuPerGPU and DefMemPerGPU by name
 * @param billingWeights TRESBillingWeights by TRES name as written
 * @param other settings that have no component of their own, by canonical key
 */
@RecordBuilder
public record Partition(
    String name,
    List<String> nodes,
    String nodesText,
    boolean isDefault,
    boolean hidden,
    PartitionState state,
    long maxTimeMinutes,
    @Nullable Long defaultTimeMinutes,
    int minNodes,
    int maxNodes,
    int priorityTier,
    int priorityJobFactor,
    String overSubscribe,
    boolean rootOnly,
    boolean reqResv,
    boolean lln,
    boolean exclusiveUser,
    List<String> allowAccounts,
    List<String> denyAccounts,
    List<String> allowGroups,
    List<String> allowQos,
    List<String> denyQos,
    @Nullable String qos,
    @Nullable Long defMemPerCpuMib,
    @Nullable Long defMemPerNodeMib,
    @Nullable Long maxMemPerCpuMib,
    @Nullable Long maxMemPerNodeMib,
    int maxCpusPerNode,
    SortedMap<String, Long> jobDefaults,
    SortedMap<String, String> billingWeights,
    SortedMap<String, String> other)
    implements PartitionBuilder.With {
  /** No limit, for every limit of this record. */
  public static final int UNLIMITED = -1;

  public Partition {
    nodes = List.copyOf(nodes);
    allowAccounts = List.copyOf(allowAccounts);
    denyAccounts = List.copyOf(denyAccounts);
    allowGroups = List.copyOf(allowGroups);
    allowQos = List.copyOf(allowQos);
    denyQos = List.copyOf(denyQos);
  }

  /** Whether jobs of an account may use it (AllowAccounts, DenyAccounts). */
  public boolean admitsAccount(String account) {
    return allowAccounts.isEmpty()
        ? !AccountingNames.has(denyAccounts, account)
        : AccountingNames.has(allowAccounts, account);
  }

  /** Whether jobs of a QOS may use it; those of none may (AllowQos, DenyQos). */
  public boolean admitsQos(String name) {
    return name.isEmpty()
        || (allowQos.isEmpty()
            ? !AccountingNames.has(denyQos, name)
            : AccountingNames.has(allowQos, name));
  }

  /** A partition with Slurm's defaults for everything but its name and nodes. */
  public static Partition withDefaults(String name, List<String> nodes) {
    return new Partition(
        name,
        nodes,
        String.join(",", nodes),
        false,
        false,
        PartitionState.UP,
        UNLIMITED,
        null,
        0,
        UNLIMITED,
        1,
        1,
        "NO",
        false,
        false,
        false,
        false,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        null,
        null,
        null,
        null,
        null,
        UNLIMITED,
        Immutable.sortedMap(),
        Immutable.sortedMap(),
        Immutable.sortedMap());
  }
}
