package dev.yardmaster.model;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is to be done when something happens (strigger(1)).
 *
 * @param id from 1; 0 before it has one
 * @param of what it watches
 * @param resource a job id, a node list, {@code *} for all nodes and controllers; empty for none
 * @param kinds what is to happen to it, of {@link #KINDS}; all of them at once stand for none
 * @param offset seconds after it happens, or before where that is known; what sets it off waits so
 *     long
 * @param user who set it
 * @param permanent whether it stays once it was set off
 * @param program with a full path, and its first arguments
 */
public record Trigger(
    int id,
    Resource of,
    String resource,
    SortedSet<String> kinds,
    int offset,
    String user,
    boolean permanent,
    String program) {
  /** The kinds that strigger knows, as it writes them. */
  public static final SortedSet<String> KINDS =
      Collections.unmodifiableSortedSet(
          new TreeSet<>(
              List.of(
                  "backup_slurmctld_assumed_control",
                  "backup_slurmctld_failure",
                  "backup_slurmctld_resumed_operation",
                  "burst_buffer",
                  "down",
                  "drained",
                  "draining",
                  "fail",
                  "fini",
                  "idle",
                  "primary_database_failure",
                  "primary_database_resumed_operation",
                  "primary_slurmctld_acct_buffer_full",
                  "primary_slurmctld_failure",
                  "primary_slurmctld_resumed_control",
                  "primary_slurmctld_resumed_operation",
                  "primary_slurmdbd_failure",
                  "primary_slurmdbd_resumed_operation",
                  "reconfig",
                  "resume",
                  "time",
                  "up")));

  /** What a trigger watches. */
  public enum Resource {
    JOB,
    NODE,
    SLURMCTLD,
    SLURMDBD,
    DATABASE,
    OTHER;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Trigger {
    kinds = Collections.unmodifiableSortedSet(new TreeSet<>(kinds));
  }

  /** The same with an id and an owner. */
  public Trigger of(int newId, String newUser) {
    return new Trigger(newId, of, resource, kinds, offset, newUser, permanent, program);
  }

  /** Its parts by name, as a request carries them. */
  public Map<String, String> fields() {
    TreeMap<String, String> fields = new TreeMap<>();
    fields.put("of", of.name());
    fields.put("resource", resource);
    fields.put("kinds", String.join(",", kinds));
    fields.put("offset", Integer.toString(offset));
    fields.put("permanent", Boolean.toString(permanent));
    fields.put("program", program);
    return fields;
  }

  /**
   * What {@link #fields} gave.
   *
   * @throws IllegalArgumentException when it is no trigger
   */
  public static Trigger of(Map<String, String> fields) {
    TreeSet<String> kinds = new TreeSet<>(List.of(fields.getOrDefault("kinds", "").split(",")));
    String program = fields.getOrDefault("program", "");
    if (!KINDS.containsAll(kinds) || !program.startsWith("/")) {
      throw new IllegalArgumentException("no trigger: " + fields);
    }
    return new Trigger(
        0,
        Resource.valueOf(fields.getOrDefault("of", "")),
        fields.getOrDefault("resource", ""),
        kinds,
        Integer.parseInt(fields.getOrDefault("offset", "0")),
        "",
        Boolean.parseBoolean(fields.get("permanent")),
        program);
  }

  /** One line, for {@link #parse}. */
  public String line() {
    return String.join(
        "\t",
        Integer.toString(id),
        of.name(),
        resource,
        String.join(",", kinds),
        Integer.toString(offset),
        user,
        Boolean.toString(permanent),
        program.replaceAll("[\\t\\n]", " "));
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException when it is no trigger
   */
  public static Trigger parse(String line) {
    String[] parts = line.split("\t", 8);
    if (parts.length < 8) {
      throw new IllegalArgumentException("no trigger: " + line);
    }
    return new Trigger(
        Integer.parseInt(parts[0]),
        Resource.valueOf(parts[1]),
        parts[2],
        new TreeSet<>(List.of(parts[3].split(","))),
        Integer.parseInt(parts[4]),
        parts[5],
        Boolean.parseBoolean(parts[6]),
        parts[7]);
  }
}
