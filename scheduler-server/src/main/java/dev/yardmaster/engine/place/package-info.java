/**
 * Which nodes, cores and devices a job gets: consumable resources in flat arrays, and the choice
 * among them.
 */
@NullMarked
package dev.yardmaster.engine.place;

import org.jspecify.annotations.NullMarked;
