/** What is told at once, without being asked: few notices, each event once. */
@NullMarked
package dev.yardmaster.console.notice;

import org.jspecify.annotations.NullMarked;
