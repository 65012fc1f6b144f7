/** The components that every view is built from. */
@NullMarked
package dev.yardmaster.console.kit;

import org.jspecify.annotations.NullMarked;
