/**
 * Several controllers as processes of their own, on machines of their own as far as they can see.
 */
@NullMarked
package dev.yardmaster.failover;

import org.jspecify.annotations.NullMarked;
