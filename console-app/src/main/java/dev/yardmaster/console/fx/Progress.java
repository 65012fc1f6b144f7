package dev.yardmaster.console.fx;

/** What background work tells about itself and asks; used on the thread of the work. */
public interface Progress {
  /**
   * Says how far the work is.
   *
   * @param done units finished
   * @param total units in all, or 0 when that is not known
   */
  void update(long done, long total);

  /** Whether somebody cancelled the work. Long work asks this often and then returns. */
  boolean isCancelled();
}
