package dev.yardmaster.model;

/**
 * What holds of a node beside its {@link NodeBaseState}. The names are those that {@code scontrol
 * show node} joins with "+" after the base state, and the order of declaration is the order in
 * which it prints them.
 */
public enum NodeFlag {
  BLOCKED,
  CLOUD,
  COMPLETING,
  DRAIN,
  DYNAMIC_FUTURE,
  DYNAMIC_NORM,
  EXTERNAL,
  INVALID_REG,
  FAIL,
  MAINTENANCE,
  POWER_DOWN,
  POWER_UP,
  POWERED_DOWN,
  REBOOT_REQUESTED,
  REBOOT_ISSUED,
  RESERVED,
  RESUME,
  NOT_RESPONDING,
  PLANNED,
  POWERING_UP,
  POWERING_DOWN,
  POWER_DRAIN,
  REBOOT_CANCELED,
  UNDRAIN
}
