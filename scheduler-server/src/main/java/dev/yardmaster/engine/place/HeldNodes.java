package dev.yardmaster.engine.place;

import dev.yardmaster.model.NodeSpec;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Nodes that whoever shares a job's limit on nodes holds already: on them the job takes nothing of
 * that limit. Among nodes of one kind (equal lines of slurm.conf) of which some are held, the
 * others weigh one more (Weight), as in Slurm's controller when it starts a job; kinds of which
 * none or all are held weigh as always.
 */
final class HeldNodes {
  private final Hardware hardware;

  /** By node, which of the kinds of nodes it is of. */
  private final int[] kinds;

  private final int[] all;

  HeldNodes(Hardware hardware) {
    this.hardware = hardware;
    kinds = new int[hardware.size];
    Map<NodeSpec, Integer> numbers = new LinkedHashMap<>();
    for (int n = 0; n < hardware.size; n++) {
      NodeSpec alike =
          hardware.specs.get(n).with(s -> s.name("").hostname("").address("").port(0).reason(""));
      kinds[n] = numbers.computeIfAbsent(alike, s -> numbers.size());
    }
    all = new int[numbers.size()];
    for (int kind : kinds) {
      all[kind]++;
    }
  }

  /**
   * What the nodes weigh more.
   *
   * @param names the nodes that are held
   */
  int[] extra(Collection<String> names) {
    long[] set = hardware.setOf(names);
    int[] held = new int[all.length];
    for (int n = Bits.next(set, 0); n >= 0; n = Bits.next(set, n + 1)) {
      held[kinds[n]]++;
    }
    int[] extra = new int[hardware.size];
    for (int n = 0; n < extra.length; n++) {
      boolean some = held[kinds[n]] > 0 && held[kinds[n]] < all[kinds[n]];
      extra[n] = some && !Bits.has(set, n) ? 1 : 0;
    }
    return extra;
  }
}
