package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code scontrol update node} has changed of what slurm.conf says of a node. As in Slurm it
 * holds until the files are read again. A component is null where nothing was changed.
 *
 * @param weight Weight
 * @param available AvailableFeatures: what jobs may ask for
 * @param active ActiveFeatures: what the node has at present, a part of what is available
 * @param gres Gres, kinds without devices left out
 * @param address NodeAddr
 * @param hostname NodeHostName
 */
@RecordBuilder
public record NodeChanges(
    @Nullable Integer weight,
    @Nullable List<String> available,
    @Nullable List<String> active,
    @Nullable List<GresDevices> gres,
    @Nullable String address,
    @Nullable String hostname)
    implements NodeChangesBuilder.With {
  /** Nothing is changed. */
  public static final NodeChanges NONE = new NodeChanges(null, null, null, null, null, null);

  public NodeChanges {
    available = available == null ? null : List.copyOf(available);
    active = active == null ? null : List.copyOf(active);
    gres = gres == null ? null : List.copyOf(gres);
  }

  /** A node's configuration with the changes. */
  public NodeSpec applied(NodeSpec spec) {
    if (equals(NONE)) {
      return spec;
    }
    return spec.with(
        s ->
            s.weight(weight == null ? spec.weight() : weight)
                .features(active == null ? spec.features() : active)
                .available(available == null ? spec.available() : available)
                .gres(gres == null ? spec.gres() : gres)
                .address(address == null ? spec.address() : address)
                .hostname(hostname == null ? spec.hostname() : hostname));
  }
}
