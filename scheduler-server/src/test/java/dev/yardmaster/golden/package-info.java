/** What a real Slurm did, played again through the real commands, controller and engine. */
@NullMarked
package dev.yardmaster.golden;

import org.jspecify.annotations.NullMarked;
