/**
 * The way to a running controller: find it, connect, ask, command, and follow what changes. Gives
 * and takes model records only; no wire type leaves this package.
 */
@NullMarked
package dev.yardmaster.client;

import org.jspecify.annotations.NullMarked;
