/** The GPUs of a node as their drivers tell of them, held against the configuration. */
@NullMarked
package dev.yardmaster.node.gpu;

import org.jspecify.annotations.NullMarked;
