@NullMarked
package dev.yardmaster.cli;

import org.jspecify.annotations.NullMarked;
