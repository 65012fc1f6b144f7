/** Measures the engine on large clusters: {@code yardmaster bench}. */
@NullMarked
package dev.yardmaster.bench;

import org.jspecify.annotations.NullMarked;
