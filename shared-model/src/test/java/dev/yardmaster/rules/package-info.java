/** The rules that hold for the whole checkout, whatever module a file is in. */
@NullMarked
package dev.yardmaster.rules;

import org.jspecify.annotations.NullMarked;
