package dev.yardmaster.console.queue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of the queue that have something in common.
 *
 * @param key what they have in common; null for all jobs together
 * @param jobs how many rows of the queue these are
 * @param waiting tasks that wait
 * @param running tasks that run
 * @param units GPUs, or CPUs on a cluster without GPUs, that they hold
 * @param longest the longest that one of them waits; zero when none does
 */
public record QueueGroup(
    @Nullable String key,
    String label,
    int jobs,
    long waiting,
    long running,
    long units,
    Duration longest) {}
