/**
 * The domain: what a cluster is made of and what it runs, as immutable records with Slurm's names.
 */
@NullMarked
package dev.yardmaster.model;

import org.jspecify.annotations.NullMarked;
