/** The gate to the JavaFX thread and to background work; nothing else crosses between threads. */
@NullMarked
package dev.yardmaster.console.fx;

import org.jspecify.annotations.NullMarked;
