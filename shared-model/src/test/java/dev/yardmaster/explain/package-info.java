@NullMarked
package dev.yardmaster.explain;

import org.jspecify.annotations.NullMarked;
