package dev.yardmaster.engine.state;

/**
 * A point of the cluster's history.
 *
 * @param sequence the number of the last event that the state knows of
 */
public record Moment(ClusterState state, long sequence) {}
