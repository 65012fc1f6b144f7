/** What is wrong or in the way in a cluster, grouped by cause. */
@NullMarked
package dev.yardmaster.console.problems;

import org.jspecify.annotations.NullMarked;
