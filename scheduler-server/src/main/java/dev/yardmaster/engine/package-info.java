/**
 * The scheduler as a pure function: {@code step(state, now) → decisions}. No clock, I/O, thread,
 * log or random of its own; the same checks decide and explain.
 */
@NullMarked
package dev.yardmaster.engine;

import org.jspecify.annotations.NullMarked;
