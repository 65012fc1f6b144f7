package dev.yardmaster.replication;

/**
 * A controller of the group.
 *
 * @param name unique in the group
 * @param host what the others reach it by
 * @param port on which it listens for the others
 */
public record Member(String name, String host, int port) {}
