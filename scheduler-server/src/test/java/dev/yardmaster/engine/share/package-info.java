@NullMarked
package dev.yardmaster.engine.share;

import org.jspecify.annotations.NullMarked;
