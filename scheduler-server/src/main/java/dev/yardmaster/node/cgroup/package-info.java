/** Control groups of the kernel, of both versions: what holds the processes of jobs in them. */
@NullMarked
package dev.yardmaster.node.cgroup;

import org.jspecify.annotations.NullMarked;
