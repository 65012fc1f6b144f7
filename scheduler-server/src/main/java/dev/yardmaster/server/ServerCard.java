package dev.yardmaster.server;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.Identity;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Says which controller this is. */
final class ServerCard {
  private final String host;
  private final String role;
  private final String owner;
  private final Instant started;
  private final ZoneId zone;
  private final boolean simulatedNodes;
  private final InstantSource clock;
  private volatile @Nullable Digest digest;

  /** The digest of a configuration; a cluster of thousands of nodes takes a while to read. */
  private record Digest(ClusterConfig config, String text) {}

  /**
   * @param role primary or backup
   * @param owner unix user the server runs as
   */
  ServerCard(
      String host,
      String role,
      String owner,
      Instant started,
      ZoneId zone,
      boolean simulatedNodes,
      InstantSource clock) {
    this.host = host;
    this.role = role;
    this.owner = owner;
    this.started = started;
    this.zone = zone;
    this.simulatedNodes = simulatedNodes;
    this.clock = clock;
  }

  Instant now() {
    return clock.instant();
  }

  ClusterInfo of(ClusterState state) {
    return new ClusterInfo(
        state.config().clusterName(),
        Versions.product(),
        Versions.SLURM,
        role,
        host,
        clock.instant(),
        started,
        digest(state.config()),
        zone,
        simulatedNodes,
        tracked(state),
        state.config().priority().flags());
  }

  private static List<String> tracked(ClusterState state) {
    String listed = state.config().setting("AccountingStorageTRES").orElse("");
    return Arrays.stream(listed.split(","))
        .map(name -> name.strip().toLowerCase(Locale.ROOT))
        .filter(name -> !name.isEmpty())
        .toList();
  }

  /** Root and whoever runs the server may speak for its nodes. */
  boolean mayServeNodes(Identity who) {
    return who.isRoot() || who.user().equals(owner);
  }

  /** Root, the SlurmUser and whoever runs the server may end it. */
  boolean mayStop(Identity who, ClusterState state) {
    return who.isRoot()
        || who.user().equals(owner)
        || who.user().equals(state.config().setting("SlurmUser").orElse("root"));
  }

  private String digest(ClusterConfig config) {
    Digest known = digest;
    if (known == null || known.config() != config) {
      known = new Digest(config, digestOf(config));
      digest = known;
    }
    return known.text();
  }

  private static String digestOf(ClusterConfig config) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(config.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
