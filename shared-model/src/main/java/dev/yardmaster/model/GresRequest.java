package dev.yardmaster.model;

import org.jspecify.annotations.Nullable;

/**
 * One generic resource that a job asks for.
 *
 * @param name for example {@code gpu}
 * @param type null when any type will do
 * @param count how many in the unit of the scope, at least 1
 */
public record GresRequest(String name, @Nullable String type, long count, Scope scope) {
  /** What the count is counted over. */
  public enum Scope {
    /** {@code --gres}, {@code --gpus-per-node}. */
    NODE,
    /** {@code --gpus}. */
    JOB,
    /** {@code --gpus-per-socket}. */
    SOCKET,
    /** {@code --gpus-per-task}. */
    TASK
  }

  /** TRES name, for example {@code gres/gpu:h100}. */
  public String tresName() {
    return type == null ? "gres/" + name : "gres/" + name + ":" + type;
  }
}
