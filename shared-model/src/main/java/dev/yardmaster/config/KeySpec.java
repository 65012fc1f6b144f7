package dev.yardmaster.config;

import dev.yardmaster.model.Immutable;
import java.util.List;
import java.util.SortedMap;

/**
 * What is known of one key: the row of the key table that completion, help and checks share.
 *
 * @param name in the manual's spelling
 * @param values the values allowed, or for numbers the one range {@code low-high}; empty when the
 *     type alone decides
 * @param aliases values of older versions, in lower case, with the value that replaced each
 * @param defaultValue what holds when the key is not given; empty when that is nothing
 * @param note what to write instead of an old key, and the like
 */
public record KeySpec(
    Section section,
    String name,
    Type type,
    List<String> values,
    SortedMap<String, String> aliases,
    String defaultValue,
    Applies applies,
    Status status,
    String note) {
  /** What a value must look like. */
  public enum Type {
    TEXT,
    /** Texts divided by commas. */
    LIST,
    /** {@code name=value} divided by commas. */
    PAIRS,
    /** Names and {@code name=value} divided by commas, with a section of their own. */
    OPTIONS,
    /** A text; the key may be given several times. */
    REPEATED,
    BOOLEAN,
    UINT16,
    UINT32,
    UINT64,
    FLOAT,
    /** A whole number that may be negative. */
    INT,
    /** No value: the name alone is the option. */
    FLAG,
    /** A time in which a bare number is minutes. */
    MINUTES,
    /** The same, kept to the second. */
    SECONDS,
    /** Seconds, or NONE or INFINITE. */
    SUSPEND,
    /** A port, or a range of them. */
    PORTRANGE,
    /** Names in host list notation. */
    HOSTS,
    /** Paths of devices, with numbers in brackets. */
    FILES,
    /** One of the values. */
    CHOICE,
    /** Some of the values, divided by commas. */
    CHOICES,
    /** The same, but the daemon passes over what it does not know. */
    FLAGS,
    /** Usually one of the values, but others are possible. */
    OPEN,
    /** A whole number with an optional K, M, G, T or P. */
    COUNT,
    /** Indices such as {@code 0-3,7}. */
    RANGES,
    /** A number of hours, days or months. */
    PURGE
  }

  /** What it takes for a change to take effect. */
  public enum Applies {
    RECONFIGURE,
    RESTART
  }

  /** Whether the version followed still has the key. */
  public enum Status {
    CURRENT,
    /** Old, and still works. */
    DEPRECATED,
    /** Accepted without effect. */
    IGNORED,
    /** Stops the daemon. */
    REMOVED,
    /** Known of older versions only. */
    UNKNOWN
  }

  public KeySpec {
    values = List.copyOf(values);
    aliases = Immutable.sortedMap(aliases);
  }
}
