/** Why a job waits, runs where it does, or how it ended: the answer first, then the evidence. */
@NullMarked
package dev.yardmaster.console.why;

import org.jspecify.annotations.NullMarked;
