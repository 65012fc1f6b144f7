/** The table of jobs: filter, columns, and what can be done to jobs. */
@NullMarked
package dev.yardmaster.console.queue;

import org.jspecify.annotations.NullMarked;
