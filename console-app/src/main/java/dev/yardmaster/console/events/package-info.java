/** What happened in the cluster since the console watches it. */
@NullMarked
package dev.yardmaster.console.events;

import org.jspecify.annotations.NullMarked;
