package dev.yardmaster.model;

/**
 * The one base state of a node; everything else that holds of it is a {@link NodeFlag}. The names
 * are those of {@code scontrol show node} (scontrol(1), "State").
 */
public enum NodeBaseState {
  UNKNOWN("unk"),
  DOWN("down"),
  IDLE("idle"),
  ALLOCATED("alloc"),
  ERROR("error"),
  MIXED("mix"),
  FUTURE("futr");

  private final String shortName;

  NodeBaseState(String shortName) {
    this.shortName = shortName;
  }

  /** The abbreviation that {@code sinfo} prints in its STATE column. */
  public String shortName() {
    return shortName;
  }
}
