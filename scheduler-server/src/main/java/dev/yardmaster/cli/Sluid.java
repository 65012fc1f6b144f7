package dev.yardmaster.cli;

import java.time.Instant;

/**
 * The one word by which Slurm tells any two jobs apart (squeue(1), SLUID): 12 bits for the cluster,
 * 42 for the millisecond of submission and 10 for what came in the same one, in base 32 without the
 * letters that are mistaken for others. Here it is made of the time of submission and the job id.
 */
final class Sluid {
  private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int LENGTH = 13;
  private static final int CLUSTERS = 4094;

  private Sluid() {}

  /** The number that the word stands for. */
  static long number(String cluster, Instant submitted, int jobId) {
    long number = Math.floorMod(cluster.hashCode(), CLUSTERS) + 2L;
    long millis = submitted.getEpochSecond() * 1000 + (jobId >>> 10) % 1000;
    return number << 52 | (millis & 0x3ff_ffff_ffffL) << 10 | (jobId & 0x3ff);
  }

  static String of(String cluster, Instant submitted, int jobId) {
    long value = number(cluster, submitted, jobId);
    StringBuilder out = new StringBuilder("s");
    for (int digit = LENGTH - 1; digit >= 0; digit--) {
      out.append(DIGITS.charAt((int) (value >>> (5 * digit)) & 31));
    }
    return out.toString();
  }
}
