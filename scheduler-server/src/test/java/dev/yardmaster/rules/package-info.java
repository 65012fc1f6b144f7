/** Rules for the architecture of the server. */
@NullMarked
package dev.yardmaster.rules;

import org.jspecify.annotations.NullMarked;
