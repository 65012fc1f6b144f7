/** Nodes: the daemon that really runs jobs, and nodes that only pretend to. */
@NullMarked
package dev.yardmaster.node;

import org.jspecify.annotations.NullMarked;
