/** When and where: the queue, the main pass, and backfill's plan of the future. */
@NullMarked
package dev.yardmaster.engine.plan;

import org.jspecify.annotations.NullMarked;
