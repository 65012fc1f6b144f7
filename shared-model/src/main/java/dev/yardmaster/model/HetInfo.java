package dev.yardmaster.model;

/** The component of a heterogeneous job: id of its first component, and this component's offset. */
public record HetInfo(int hetJobId, int offset) {}
