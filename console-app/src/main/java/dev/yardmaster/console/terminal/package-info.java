/** A terminal that runs Slurm's commands on the cluster that the window shows. */
@NullMarked
package dev.yardmaster.console.terminal;

import org.jspecify.annotations.NullMarked;
