package dev.yardmaster.model;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * An advance reservation of whole nodes.
 *
 * @param flags as scontrol prints them ({@code MAINT}, {@code IGNORE_JOBS} …)
 * @param users who may use it; empty together with accounts means nobody but root
 */
public record Reservation(
    String name,
    Instant start,
    Instant end,
    List<String> nodes,
    Set<String> flags,
    List<String> users,
    List<String> accounts) {
  public Reservation {
    nodes = List.copyOf(nodes);
    flags = Collections.unmodifiableSet(new TreeSet<>(flags));
    users = List.copyOf(users);
    accounts = List.copyOf(accounts);
  }
}
