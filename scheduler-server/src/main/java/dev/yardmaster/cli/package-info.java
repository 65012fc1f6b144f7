/**
 * Slurm's commands: names, options, texts and exit codes as the real ones have them. Lean on
 * purpose, since each call is a process of its own: nothing of the server, no logging, and one
 * connection only when a command needs the controller.
 */
@NullMarked
package dev.yardmaster.cli;

import org.jspecify.annotations.NullMarked;
