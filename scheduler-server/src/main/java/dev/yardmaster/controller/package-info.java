/** The single writer: commands in, events out, effects performed in one place. */
@NullMarked
package dev.yardmaster.controller;

import org.jspecify.annotations.NullMarked;
