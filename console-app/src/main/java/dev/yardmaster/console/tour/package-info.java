/** Pictures of every view, taken without a display. */
@NullMarked
package dev.yardmaster.console.tour;

import org.jspecify.annotations.NullMarked;
