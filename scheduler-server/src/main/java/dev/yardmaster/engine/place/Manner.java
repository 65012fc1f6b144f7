package dev.yardmaster.engine.place;

import org.jspecify.annotations.Nullable;

/**
 * How a job holds its nodes.
 *
 * @param userAlone whether they are for its user alone
 * @param sharing the partition with whose jobs it may share cores; null when its cores are its own
 * @param limited the partition that limits the CPUs of its jobs on a node (MaxCPUsPerNode,
 *     MaxCPUsPerSocket); null when it does not
 * @param stopped whether it is suspended and has lent its CPUs, so that only its memory and devices
 *     count
 */
public record Manner(
    boolean userAlone, @Nullable String sharing, @Nullable String limited, boolean stopped) {
  /** Of a job that works. */
  public Manner(boolean userAlone, @Nullable String sharing, @Nullable String limited) {
    this(userAlone, sharing, limited, false);
  }

  /** The same of a job that has stopped. */
  public Manner whenStopped() {
    return new Manner(userAlone, sharing, limited, true);
  }
}
