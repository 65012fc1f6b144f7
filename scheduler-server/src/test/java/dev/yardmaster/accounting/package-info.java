@NullMarked
package dev.yardmaster.accounting;

import org.jspecify.annotations.NullMarked;
