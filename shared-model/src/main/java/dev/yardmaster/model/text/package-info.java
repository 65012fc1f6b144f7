/**
 * Slurm's notations, parse and print. Every parser throws only {@link
 * dev.yardmaster.model.text.NotationException}, whatever the input; every printed form parses back
 * to an equal value.
 */
@NullMarked
package dev.yardmaster.model.text;

import org.jspecify.annotations.NullMarked;
