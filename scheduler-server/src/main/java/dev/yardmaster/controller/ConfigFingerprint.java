package dev.yardmaster.controller;

import dev.yardmaster.model.ClusterConfig;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** By which controller and nodes tell whether they work with the same settings of slurm.conf. */
public final class ConfigFingerprint {
  private static final int LENGTH = 16;

  private ConfigFingerprint() {}

  /**
   * That of the settings; nodes and partitions, which differ when they were changed, are not in.
   */
  public static String of(ClusterConfig config) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      config
          .settings()
          .forEach(
              (key, value) ->
                  digest.update((key + "=" + value + "\n").getBytes(StandardCharsets.UTF_8)));
      return HexFormat.of().formatHex(digest.digest(), 0, LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
