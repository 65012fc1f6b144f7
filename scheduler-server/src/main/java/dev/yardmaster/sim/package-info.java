/** The engine in virtual time: simulation of a workload, and forecasts. */
@NullMarked
package dev.yardmaster.sim;

import org.jspecify.annotations.NullMarked;
