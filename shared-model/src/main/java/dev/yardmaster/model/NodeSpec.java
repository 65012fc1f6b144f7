package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What slurm.conf says of one node (NodeName= line with its DEFAULT applied), with what {@code
 * scontrol update} has changed of it since ({@link NodeChanges}).
 *
 * @param hostname NodeHostname; equals the name when not given
 * @param port SlurmdPort or the node's own Port=
 * @param sockets all sockets of the node, over all boards
 * @param cpus what Slurm counts as CPUs (CPUs=, or sockets × cores × threads)
 * @param realMemoryMib RealMemory; 1 when not given, as Slurm
 * @param state the State= of the file: UNKNOWN, CLOUD, FUTURE, EXTERNAL, DOWN, DRAIN …; upper case
 * @param reason Reason= of the file, empty when none
 * @param features what the node has (ActiveFeatures)
 * @param coreSpecCount cores kept from jobs (CoreSpecCount)
 * @param memSpecLimitMib memory kept from jobs (MemSpecLimit)
 * @param available AvailableFeatures where they differ from what the node has at present; null when
 *     they do not
 */
@RecordBuilder
public record NodeSpec(
    String name,
    String hostname,
    String address,
    int port,
    int boards,
    int sockets,
    int coresPerSocket,
    int threadsPerCore,
    int cpus,
    long realMemoryMib,
    long tmpDiskMib,
    int weight,
    List<String> features,
    List<GresDevices> gres,
    String state,
    String reason,
    int coreSpecCount,
    long memSpecLimitMib,
    @Nullable List<String> available)
    implements NodeSpecBuilder.With {
  public NodeSpec {
    features = List.copyOf(features);
    gres = List.copyOf(gres);
    available = available == null ? null : List.copyOf(available);
  }

  /** A node that has all features that it could have. */
  public NodeSpec(
      String name,
      String hostname,
      String address,
      int port,
      int boards,
      int sockets,
      int coresPerSocket,
      int threadsPerCore,
      int cpus,
      long realMemoryMib,
      long tmpDiskMib,
      int weight,
      List<String> features,
      List<GresDevices> gres,
      String state,
      String reason,
      int coreSpecCount,
      long memSpecLimitMib) {
    this(
        name,
        hostname,
        address,
        port,
        boards,
        sockets,
        coresPerSocket,
        threadsPerCore,
        cpus,
        realMemoryMib,
        tmpDiskMib,
        weight,
        features,
        gres,
        state,
        reason,
        coreSpecCount,
        memSpecLimitMib,
        null);
  }

  /** The features that jobs may ask for (AvailableFeatures). */
  public List<String> availableFeatures() {
    return available == null ? features : available;
  }

  /** Whether no daemon serves it: only jobs that need none ({@code --external}) may have it. */
  public boolean external() {
    return state.equals("EXTERNAL");
  }

  /** Physical cores: sockets × cores per socket. */
  public int cores() {
    return sockets * coresPerSocket;
  }

  /** All devices of a GRES name, over its types; 0 when the node has none. */
  public long gresCount(String gresName) {
    return gres.stream().filter(g -> g.name().equals(gresName)).mapToLong(GresDevices::count).sum();
  }
}
