package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Remedy;

/**
 * A change to be tried.
 *
 * @param fork the state after the change
 * @param command the command that makes it
 * @param byOwner whether the job's owner may give that command
 */
record Candidate(
    Remedy.Lever lever,
    String from,
    String to,
    ClusterState fork,
    String command,
    boolean byOwner) {}
