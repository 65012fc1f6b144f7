/**
 * The rules that a pending job must pass, each in one place; the same checks decide in a pass and
 * explain when asked.
 */
@NullMarked
package dev.yardmaster.engine.gate;

import org.jspecify.annotations.NullMarked;
