/** Explanations and remedies, from the checks that decide. */
@NullMarked
package dev.yardmaster.engine.explain;

import org.jspecify.annotations.NullMarked;
