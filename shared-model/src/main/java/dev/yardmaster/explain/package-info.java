/**
 * The explanation of a job as data: gates in the order the scheduler applies them, findings with
 * evidence, verdict, blockers, forecast and remedies. It is computed by the engine, travels
 * unchanged to every client, and is put into words by one class, {@code Words}.
 */
@NullMarked
package dev.yardmaster.explain;

import org.jspecify.annotations.NullMarked;
