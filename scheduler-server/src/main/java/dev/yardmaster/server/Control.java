package dev.yardmaster.server;

import dev.yardmaster.journal.Journal;
import org.jspecify.annotations.Nullable;

/** How the controllers of a cluster agree on the one that serves. */
interface Control extends AutoCloseable {
  /**
   * Waits until this controller is to serve.
   *
   * @return null when it is to end instead ({@link #stop})
   * @throws StartFailure when it never can
   */
  @Nullable Term await() throws StartFailure, InterruptedException;

  /** An operator wants this controller to take control. */
  void takeOver();

  /** Ends a wait, now or later. */
  void stop();

  /** Whether a controller that was asked to give up control ends, rather than stand by again. */
  boolean endsWhenGivenUp();

  @Override
  void close();

  /** The time for which this controller has control. */
  interface Term {
    /** What the state is kept in; to be closed before the term. */
    Journal journal();

    /** Something to be done once when control is lost; at once if it is already. */
    void whenLost(Runnable action);

    /**
     * Gives control back.
     *
     * @param successor place of the controller that is to have it; -1 for any
     */
    void close(int successor);
  }
}
