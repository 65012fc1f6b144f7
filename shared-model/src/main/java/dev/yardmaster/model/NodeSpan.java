package dev.yardmaster.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A time in which a node was in service, or was not.
 *
 * @param ended null for the present one
 * @param down whether jobs could not start on it: down, or drained
 */
public record NodeSpan(
    String node, Instant started, @Nullable Instant ended, boolean down, Tres tres) {}
