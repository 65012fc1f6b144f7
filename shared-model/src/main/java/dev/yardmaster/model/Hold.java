package dev.yardmaster.model;

/** Who keeps a pending job from being considered; as in Slurm a held job has priority 0. */
public enum Hold {
  NONE,
  /** By its owner ({@code scontrol uhold}, {@code sbatch -H}); the owner may release it. */
  USER,
  /** By an operator; only an operator may release it. */
  ADMIN
}
