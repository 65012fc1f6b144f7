/** What the status bar and the top bar tell of a cluster. */
@NullMarked
package dev.yardmaster.console.status;

import org.jspecify.annotations.NullMarked;
