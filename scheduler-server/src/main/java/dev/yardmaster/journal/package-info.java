/**
 * What was decided, kept for good: events are appended before anyone sees their effect, and the
 * state is recovered from the last snapshot and the events after it.
 */
@NullMarked
package dev.yardmaster.journal;

import org.jspecify.annotations.NullMarked;
