/** What a job's priority is made of. */
@NullMarked
package dev.yardmaster.engine.priority;

import org.jspecify.annotations.NullMarked;
