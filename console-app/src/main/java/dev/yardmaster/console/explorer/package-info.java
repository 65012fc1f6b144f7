/** What the explorer tree lists of a cluster. */
@NullMarked
package dev.yardmaster.console.explorer;

import org.jspecify.annotations.NullMarked;
