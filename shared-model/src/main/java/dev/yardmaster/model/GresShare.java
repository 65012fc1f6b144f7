package dev.yardmaster.model;

import org.jspecify.annotations.Nullable;

/**
 * Devices of one kind that a job holds on one node.
 *
 * @param devices indices on the node; empty for resources without devices (shard counts,
 *     count-only)
 * @param count how many, equals the number of devices where there are any
 */
public record GresShare(String name, @Nullable String type, IndexSet devices, long count) {}
