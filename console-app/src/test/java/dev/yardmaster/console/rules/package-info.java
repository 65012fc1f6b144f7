/** Rules for the architecture of the console. */
@NullMarked
package dev.yardmaster.console.rules;

import org.jspecify.annotations.NullMarked;
