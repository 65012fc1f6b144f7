/** Tests of control groups. */
@NullMarked
package dev.yardmaster.node.cgroup;

import org.jspecify.annotations.NullMarked;
