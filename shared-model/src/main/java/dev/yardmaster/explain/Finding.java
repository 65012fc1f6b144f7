package dev.yardmaster.explain;

/**
 * What one gate said about one job.
 *
 * @param waitingHelps whether time alone can turn a FAIL into a PASS
 */
public record Finding(Gate gate, Outcome outcome, boolean waitingHelps, Evidence evidence) {
  public boolean blocks() {
    return outcome == Outcome.FAIL;
  }
}
