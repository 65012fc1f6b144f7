@NullMarked
package dev.yardmaster.node.gpu;

import org.jspecify.annotations.NullMarked;
