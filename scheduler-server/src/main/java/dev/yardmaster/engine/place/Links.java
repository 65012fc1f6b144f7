package dev.yardmaster.engine.place;

import dev.yardmaster.model.GresDevices;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Chooses devices by how they are linked to each other (gres.conf, Links=). */
final class Links {
  /** More combinations than this are not tried one by one. */
  private static final long MOST_TRIED = 20_000;

  private final List<List<Integer>> links;

  private Links(List<List<Integer>> links) {
    this.links = links;
  }

  static Links of(GresDevices devices) {
    return new Links(devices.links());
  }

  private int between(int a, int b) {
    return a < links.size() && b < links.get(a).size() ? Math.max(0, links.get(a).get(b)) : 0;
  }

  /**
   * The set of so many free devices with the most links among them; of equal ones the one with the
   * lowest indices.
   */
  List<Integer> best(List<Integer> free, int count) {
    if (count >= free.size()) {
      return free;
    }
    if (combinations(free.size(), count) > MOST_TRIED) {
      return greedy(free, count);
    }
    int[] at = new int[count];
    for (int i = 0; i < count; i++) {
      at[i] = i;
    }
    int[] best = at.clone();
    long most = -1;
    while (true) {
      long sum = 0;
      for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
          sum += between(free.get(at[i]), free.get(at[j]));
        }
      }
      if (sum > most) {
        most = sum;
        best = at.clone();
      }
      int i = count - 1;
      while (i >= 0 && at[i] == free.size() - count + i) {
        i--;
      }
      if (i < 0) {
        break;
      }
      at[i]++;
      for (int j = i + 1; j < count; j++) {
        at[j] = at[j - 1] + 1;
      }
    }
    List<Integer> chosen = new ArrayList<>(count);
    for (int i : best) {
      chosen.add(free.get(i));
    }
    return chosen;
  }

  private List<Integer> greedy(List<Integer> free, int count) {
    List<Integer> chosen = new ArrayList<>(List.of(free.getFirst()));
    List<Integer> rest = new ArrayList<>(free.subList(1, free.size()));
    while (chosen.size() < count) {
      Integer best = rest.getFirst();
      long most = -1;
      for (Integer candidate : rest) {
        long sum = chosen.stream().mapToLong(c -> between(c, candidate)).sum();
        if (sum > most) {
          most = sum;
          best = candidate;
        }
      }
      chosen.add(best);
      rest.remove(best);
    }
    return chosen;
  }

  /**
   * The order in which Slurm takes free devices: the first, then those with the fewest links to it
   * ({@code SchedulerParameters=gres_links=slurm}).
   */
  List<Integer> slurmOrder(List<Integer> free) {
    List<Integer> order = new ArrayList<>(free);
    if (!order.isEmpty()) {
      int first = order.getFirst();
      order.subList(1, order.size()).sort((a, b) -> between(first, a) - between(first, b));
    }
    return order;
  }

  /**
   * Devices as Slurm takes them that are counted over a job: of those near its cores one of the two
   * that are linked best, and with it those that are not linked least to it; where they do not
   * suffice, the ones with the most links to them.
   */
  List<Integer> slurmOfJob(List<Integer> near, List<Integer> far, int count) {
    List<Integer> chosen = new ArrayList<>(near);
    int most = -1;
    Integer first = -1;
    for (int i = 0; i < near.size(); i++) {
      for (int j = i + 1; j < near.size(); j++) {
        int link = between(near.get(i), near.get(j));
        first = link > most ? near.get(i) : first;
        most = Math.max(most, link);
      }
    }
    while (chosen.size() > count && first >= 0) {
      Integer best = first;
      chosen.remove(
          chosen.stream()
              .filter(d -> !d.equals(best))
              .min(Comparator.comparingInt(d -> between(best, d)))
              .orElseThrow());
    }
    List<Integer> rest = new ArrayList<>(far);
    rest.sort(Comparator.comparingInt(d -> -near.stream().mapToInt(n -> between(n, d)).sum()));
    chosen.addAll(rest.subList(0, Math.min(rest.size(), Math.max(0, count - chosen.size()))));
    return chosen.subList(0, Math.min(count, chosen.size()));
  }

  private static long combinations(int n, int k) {
    long result = 1;
    for (int i = 1; i <= Math.min(k, n - k); i++) {
      result = result * (n - i + 1) / i;
      if (result > MOST_TRIED) {
        return result;
      }
    }
    return result;
  }
}
