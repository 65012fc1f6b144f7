/** Tabs of the centre that split, close and float. */
@NullMarked
package dev.yardmaster.console.dock;

import org.jspecify.annotations.NullMarked;
