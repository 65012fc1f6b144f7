package dev.yardmaster.model;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Amounts of trackable resources by Slurm's TRES name ({@code cpu}, {@code mem} in MiB, {@code
 * node}, {@code billing}, {@code gres/gpu}, {@code gres/gpu:h100}, {@code license/x}). A name that
 * is absent counts as zero; zero amounts are not kept.
 */
public record Tres(SortedMap<String, Long> amounts) {
  public static final String CPU = "cpu";
  public static final String MEM = "mem";
  public static final String NODE = "node";
  public static final String BILLING = "billing";
  public static final String GPU = "gres/gpu";

  /** Nothing of anything. */
  public static final Tres NONE = new Tres(new TreeMap<>());

  public Tres {
    TreeMap<String, Long> copy = new TreeMap<>();
    amounts.forEach(
        (name, amount) -> {
          if (amount != 0) {
            copy.put(name, amount);
          }
        });
    amounts = Collections.unmodifiableSortedMap(copy);
  }

  public static Tres of(Map<String, Long> amounts) {
    return new Tres(new TreeMap<>(amounts));
  }

  public long get(String name) {
    return amounts.getOrDefault(name, 0L);
  }

  public long cpus() {
    return get(CPU);
  }

  public long memoryMib() {
    return get(MEM);
  }

  public long gpus() {
    return get(GPU);
  }

  public Tres plus(Tres other) {
    TreeMap<String, Long> sum = new TreeMap<>(amounts);
    other.amounts.forEach((name, amount) -> sum.merge(name, amount, Long::sum));
    return new Tres(sum);
  }

  public Tres minus(Tres other) {
    TreeMap<String, Long> difference = new TreeMap<>(amounts);
    other.amounts.forEach((name, amount) -> difference.merge(name, -amount, Long::sum));
    return new Tres(difference);
  }
}
