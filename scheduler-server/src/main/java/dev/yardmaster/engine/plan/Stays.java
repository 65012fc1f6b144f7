package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.place.Bits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Who is planned on which node, and when: of each node its stays in the order of their starts. */
final class Stays {
  private final long[][] starts;
  private final long[][] ends;
  private final int[][] owners;
  private final int[] counts;

  /**
   * @param nodes how many nodes there are
   */
  Stays(int nodes) {
    starts = new long[nodes][];
    ends = new long[nodes][];
    owners = new int[nodes][];
    counts = new int[nodes];
  }

  /** A job stays on a node. */
  void add(int node, long start, long end, int jobId) {
    int count = counts[node];
    if (count == 0) {
      starts[node] = new long[4];
      ends[node] = new long[4];
      owners[node] = new int[4];
    } else if (count == starts[node].length) {
      starts[node] = Arrays.copyOf(starts[node], count * 2);
      ends[node] = Arrays.copyOf(ends[node], count * 2);
      owners[node] = Arrays.copyOf(owners[node], count * 2);
    }
    int at = count;
    while (at > 0 && starts[node][at - 1] > start) {
      starts[node][at] = starts[node][at - 1];
      ends[node][at] = ends[node][at - 1];
      owners[node][at] = owners[node][at - 1];
      at--;
    }
    starts[node][at] = start;
    ends[node][at] = end;
    owners[node][at] = jobId;
    counts[node]++;
  }

  /** How many stay on a node. */
  int count(int node) {
    return counts[node];
  }

  long start(int node, int stay) {
    return starts[node][stay];
  }

  long end(int node, int stay) {
    return ends[node][stay];
  }

  /** The nodes on which somebody stays at some time after one moment and before another. */
  long[] within(long after, long until) {
    long[] set = Bits.of(counts.length);
    for (int n = 0; n < counts.length; n++) {
      for (int i = 0; i < counts[n]; i++) {
        if (starts[n][i] < until && ends[n][i] > after) {
          Bits.add(set, n);
          break;
        }
      }
    }
    return set;
  }

  /** Who stays on a node at some time after one moment and before another, the first first. */
  List<Integer> of(int node, long after, long until) {
    List<Integer> ids = new ArrayList<>();
    for (int i = 0; i < counts[node]; i++) {
      if (starts[node][i] < until && ends[node][i] > after && !ids.contains(owners[node][i])) {
        ids.add(owners[node][i]);
      }
    }
    return ids;
  }

  /** The first start of those on a node whose stay is not over; {@link Future#NEVER} for none. */
  long nextStart(int node, long now) {
    for (int i = 0; i < counts[node]; i++) {
      if (ends[node][i] > now) {
        return starts[node][i];
      }
    }
    return Future.NEVER;
  }
}
