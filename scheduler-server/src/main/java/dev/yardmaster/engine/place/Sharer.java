package dev.yardmaster.engine.place;

import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.Partition;
import org.jspecify.annotations.Nullable;

/**
 * The right to share cores with other jobs of a partition (slurm.conf, OverSubscribe).
 *
 * @param most so many jobs on one core
 */
public record Sharer(String partition, int most) {
  private static final int DEFAULT_MOST = 4;

  /**
   * The right of a job: with FORCE:n everybody has it, with YES:n who asks by {@code
   * --oversubscribe}; whole nodes are never shared.
   *
   * @return null when its cores are its own
   */
  public static @Nullable Sharer of(JobRequest request, Partition partition) {
    String[] parts = partition.overSubscribe().split(":", 2);
    boolean shares =
        switch (parts[0]) {
          case "FORCE" -> request.exclusivity() != Exclusivity.NODE;
          case "YES" -> request.exclusivity() == Exclusivity.OVERSUBSCRIBE;
          default -> false;
        };
    boolean counted = parts.length == 2 && parts[1].matches("[0-9]{1,3}");
    int most = counted ? Integer.parseInt(parts[1]) : DEFAULT_MOST;
    return shares && most > 1 ? new Sharer(partition.name(), most) : null;
  }
}
