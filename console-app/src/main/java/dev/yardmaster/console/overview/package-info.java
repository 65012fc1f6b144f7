/** How the cluster is: one sentence, and what it rests on. */
@NullMarked
package dev.yardmaster.console.overview;

import org.jspecify.annotations.NullMarked;
