@NullMarked
package dev.yardmaster.journal;

import org.jspecify.annotations.NullMarked;
