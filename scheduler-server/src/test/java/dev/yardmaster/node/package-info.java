@NullMarked
package dev.yardmaster.node;

import org.jspecify.annotations.NullMarked;
