/** What the console knows of a cluster: the connection, the latest snapshot, and the selection. */
@NullMarked
package dev.yardmaster.console.connect;

import org.jspecify.annotations.NullMarked;
