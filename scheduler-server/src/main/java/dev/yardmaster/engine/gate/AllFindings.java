package dev.yardmaster.engine.gate;

import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.explain.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Hears every gate and keeps the last word of each. */
public final class AllFindings implements Collector {
  private final Map<Gate, Finding> findings = new EnumMap<>(Gate.class);
  private final List<Gate> failures = new ArrayList<>();
  private final Map<Gate, Why> whys = new EnumMap<>(Gate.class);
  private @Nullable Set<Gate> admission;

  @Override
  public void pass(Gate gate, Supplier<Evidence> evidence) {
    findings.put(gate, new Finding(gate, Outcome.PASS, false, evidence.get()));
    whys.remove(gate);
    failures.remove(gate);
  }

  @Override
  public void notApplicable(Gate gate) {
    findings.put(gate, new Finding(gate, Outcome.NOT_APPLICABLE, false, new Evidence.None()));
    whys.remove(gate);
    failures.remove(gate);
  }

  @Override
  public boolean fail(Gate gate, Why why, boolean waitingHelps, Supplier<Evidence> evidence) {
    findings.put(gate, new Finding(gate, Outcome.FAIL, waitingHelps, evidence.get()));
    whys.put(gate, why);
    if (!failures.contains(gate)) {
      failures.add(gate);
    }
    return true;
  }

  @Override
  public boolean all() {
    return true;
  }

  /** One finding per gate, in order; gates nobody spoke of were not reached. */
  public List<Finding> findings() {
    List<Finding> all = new ArrayList<>();
    for (Gate gate : Gate.values()) {
      Finding finding = findings.get(gate);
      all.add(
          finding != null
              ? finding
              : new Finding(gate, Outcome.NOT_REACHED, false, new Evidence.None()));
    }
    return List.copyOf(all);
  }

  /**
   * A new look at the job begins: what was said of nodes is forgotten, and failures are counted
   * anew, in the order of the checks. What failed before the first look, at the gates of the job
   * alone, keeps its place.
   */
  public void lookAgain() {
    Set<Gate> kept = admission;
    if (kept == null) {
      kept = EnumSet.noneOf(Gate.class);
      kept.addAll(failures);
      admission = kept;
    }
    failures.retainAll(kept);
    findings.keySet().removeIf(gate -> gate.kind() == Gate.Kind.NODES);
  }

  /**
   * The gate at which a scheduler would have stopped: the first that failed in the order of the
   * checks, in which a hopeless wish comes before what time may mend; null when none failed.
   */
  public @Nullable Gate firstFailure() {
    return failures.isEmpty() ? null : failures.getFirst();
  }

  /** A gate that failed counts before all others: what was found last stopped the job. */
  public void decidedBy(Gate gate) {
    if (failures.remove(gate)) {
      failures.addFirst(gate);
    }
  }

  /** What Slurm would show for a gate that fails, or null. */
  public @Nullable Why why(Gate gate) {
    return whys.get(gate);
  }
}
