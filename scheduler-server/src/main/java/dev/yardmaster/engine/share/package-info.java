/**
 * What has been used by whom, and the fair share that follows from it: decay, charging, fair tree
 * and classic fair share.
 */
@NullMarked
package dev.yardmaster.engine.share;

import org.jspecify.annotations.NullMarked;
