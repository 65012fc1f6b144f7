package dev.yardmaster.cli;

import dev.yardmaster.server.Versions;

/** What commands say when they are asked for their version. */
final class SlurmVersion {
  private SlurmVersion() {}

  /** As Slurm's commands print it, for scripts that look at it. */
  static String line() {
    return "slurm " + Versions.SLURM;
  }
}
