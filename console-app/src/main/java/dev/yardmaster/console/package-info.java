/** The desktop console: entry points and the wiring of the frame. */
@NullMarked
package dev.yardmaster.console;

import org.jspecify.annotations.NullMarked;
