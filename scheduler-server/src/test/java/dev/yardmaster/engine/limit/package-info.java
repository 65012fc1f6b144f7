@NullMarked
package dev.yardmaster.engine.limit;

import org.jspecify.annotations.NullMarked;
