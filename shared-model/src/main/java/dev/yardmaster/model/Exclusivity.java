package dev.yardmaster.model;

/** Whether a job shares its nodes (sbatch --exclusive, --oversubscribe). */
public enum Exclusivity {
  /** As the partition says. */
  DEFAULT,
  /** Whole nodes ({@code --exclusive}): all CPUs and all GRES are allocated. */
  NODE,
  /** Only with jobs of the same user. */
  USER,
  /** Only with jobs of the same MCS label. */
  MCS,
  /** A whole topology unit. */
  TOPO,
  /** May share CPUs where the partition allows it ({@code --oversubscribe}). */
  OVERSUBSCRIBE
}
