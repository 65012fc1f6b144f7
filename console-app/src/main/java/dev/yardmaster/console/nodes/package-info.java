/** The table of nodes with what occupies their GPUs. */
@NullMarked
package dev.yardmaster.console.nodes;

import org.jspecify.annotations.NullMarked;
