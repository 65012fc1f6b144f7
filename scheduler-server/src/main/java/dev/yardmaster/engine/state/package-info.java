/**
 * The cluster's immutable state; {@link dev.yardmaster.engine.state.ClusterState#apply} is its only
 * mutation.
 */
@NullMarked
package dev.yardmaster.engine.state;

import org.jspecify.annotations.NullMarked;
