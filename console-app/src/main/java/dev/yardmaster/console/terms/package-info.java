/** Slurm's states, reasons and amounts in the user's language, said the same way in every view. */
@NullMarked
package dev.yardmaster.console.terms;

import org.jspecify.annotations.NullMarked;
