@NullMarked
package dev.yardmaster.history;

import org.jspecify.annotations.NullMarked;
