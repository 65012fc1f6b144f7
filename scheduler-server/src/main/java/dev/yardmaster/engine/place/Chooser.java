package dev.yardmaster.engine.place;

import dev.yardmaster.model.GresRequest.Scope;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.FeatureExpression.Count;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Chooses nodes among candidates, as cons_tres does: nodes of the lowest weight first (slurm.conf,
 * Weight), required nodes always, and of the runs of neighbouring nodes the tightest that is large
 * enough.
 */
public final class Chooser {
  private final Hardware hardware;

  public Chooser(Hardware hardware) {
    this.hardware = hardware;
  }

  /**
   * Chooses nodes.
   *
   * @return the chosen set, or null when the candidates do not suffice
   */
  long @Nullable [] choose(Shape shape, long[] candidates, Rooms rooms) {
    FeatureExpression features = shape.request.features();
    if (features == null) {
      return byWeight(shape, candidates, rooms, List.of());
    }
    for (FeatureExpression alternative : features.alternatives()) {
      long[] matching = Bits.of(hardware.size);
      for (int n = Bits.next(candidates, 0); n >= 0; n = Bits.next(candidates, n + 1)) {
        if (alternative.matches(hardware.features(n))) {
          Bits.add(matching, n);
        }
      }
      long[] chosen = byWeight(shape, matching, rooms, alternative.counts());
      if (chosen != null) {
        return chosen;
      }
    }
    return null;
  }

  private long @Nullable [] byWeight(
      Shape shape, long[] candidates, Rooms rooms, List<Count> counts) {
    if (!Bits.contains(candidates, shape.required)) {
      return null;
    }
    TreeSet<Integer> weights = new TreeSet<>();
    for (int n = Bits.next(candidates, 0); n >= 0; n = Bits.next(candidates, n + 1)) {
      weights.add(hardware.specs.get(n).weight());
    }
    long[] set = shape.required.clone();
    for (int weight : weights) {
      for (int n = Bits.next(candidates, 0); n >= 0; n = Bits.next(candidates, n + 1)) {
        if (hardware.specs.get(n).weight() == weight) {
          Bits.add(set, n);
        }
      }
      if (Bits.count(set) >= shape.minNodes) {
        long[] chosen = withCounts(shape, set, rooms, counts);
        if (chosen != null) {
          return chosen;
        }
      }
    }
    return null;
  }

  /** Nodes for counted features ({@code [a*2&b*1]}) are chosen first, count by count. */
  private long @Nullable [] withCounts(
      Shape shape, long[] candidates, Rooms rooms, List<Count> counts) {
    long[] chosen = shape.required.clone();
    long[] allowed = candidates;
    if (!counts.isEmpty()) {
      allowed = chosen.clone();
      for (Count count : counts) {
        int missing = count.nodes();
        for (int n = Bits.next(chosen, 0); n >= 0 && missing > 0; n = Bits.next(chosen, n + 1)) {
          missing -= FeatureExpression.matches(count.term(), hardware.features(n)) ? 1 : 0;
        }
        for (int n = Bits.next(candidates, 0); n >= 0; n = Bits.next(candidates, n + 1)) {
          if (!Bits.has(chosen, n)
              && FeatureExpression.matches(count.term(), hardware.features(n))) {
            Bits.add(allowed, n);
            if (missing > 0) {
              Bits.add(chosen, n);
              missing--;
            }
          }
        }
        if (missing > 0) {
          return null;
        }
      }
      if (Bits.count(chosen) < shape.minNodes) {
        allowed = candidates;
      }
    }
    return new Selection(hardware, shape, rooms, chosen).fill(allowed);
  }

  /** What is still missing while nodes are added one by one. */
  static final class Selection {
    private final Hardware hardware;
    private final Shape shape;
    private final Rooms rooms;
    private final long[] chosen;
    private int wanted;
    private int least;
    private int most;
    private long tasks;
    private long gres;

    Selection(Hardware hardware, Shape shape, Rooms rooms, long[] initial) {
      this.hardware = hardware;
      this.shape = shape;
      this.rooms = rooms;
      chosen = Bits.of(hardware.size);
      wanted = shape.wantedNodes;
      least = shape.minNodes;
      most = shape.maxNodes;
      tasks = shape.tasks;
      for (Shape.Demand demand : shape.demands) {
        if (demand.request().scope() == Scope.JOB && gres == 0) {
          gres = demand.request().count();
        }
      }
      for (int n = Bits.next(initial, 0); n >= 0; n = Bits.next(initial, n + 1)) {
        take(n);
      }
    }

    private void take(int node) {
      Bits.add(chosen, node);
      tasks -= Math.min(rooms.tasks[node], Math.max(1, tasks - Math.max(0, least - 1)));
      gres -= rooms.jobGres[node];
      wanted--;
      least--;
      most--;
    }

    private boolean satisfied() {
      return tasks <= 0 && gres <= 0 && wanted <= 0;
    }

    private boolean done() {
      return tasks <= 0 && gres <= 0 && least <= 0;
    }

    long @Nullable [] fill(long[] candidates) {
      if (most < 0) {
        return null;
      }
      Runs runs = new Runs(hardware, candidates, chosen, rooms);
      while (!satisfied() && most > 0) {
        int best = runs.best(this::enough, shape.request.contiguous(), !Bits.isEmpty(chosen));
        if (best < 0) {
          break;
        }
        if (shape.request.contiguous() && !enough(runs, best)) {
          return null;
        }
        int from = runs.firstChosen(best) >= 0 ? runs.firstChosen(best) : runs.start(best);
        for (int n = from; n <= runs.end(best); n++) {
          consider(candidates, n);
        }
        for (int n = from - 1; n >= runs.start(best); n--) {
          consider(candidates, n);
        }
        runs.drop(best);
      }
      return done() ? chosen : null;
    }

    private void consider(long[] candidates, int node) {
      boolean open = Bits.has(candidates, node) && !Bits.has(chosen, node);
      if (!open || satisfied() || most <= 0) {
        return;
      }
      boolean lastAndTooSmall =
          most == 1 && (rooms.tasks[node] < tasks || rooms.jobGres[node] < gres);
      if (!lastAndTooSmall) {
        take(node);
      }
    }

    private boolean enough(Runs runs, int run) {
      return runs.tasks(run) >= tasks && runs.gres(run) >= gres && runs.nodes(run) >= least;
    }
  }
}
