/** Limits of associations and QOS: who counts against which, and what a job may still take. */
@NullMarked
package dev.yardmaster.engine.limit;

import org.jspecify.annotations.NullMarked;
