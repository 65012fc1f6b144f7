package dev.yardmaster.console.problems;

import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.Item;
import java.time.Duration;

/**
 * Something that is wrong or in the way.
 *
 * @param key what identifies it through changes
 * @param text what it is, for example {@code 4 jobs: Waits for free resources}
 * @param where the partition or the nodes
 * @param age how long it has been so, at the time of the snapshot; zero when not known
 * @param detail what goes with it: the first jobs, or who set a reason
 * @param target what is selected with it
 * @param filter the filter of the queue that shows its jobs; empty for problems of nodes
 * @param count how many jobs or nodes it concerns
 */
public record Problem(
    String key,
    Tone tone,
    String text,
    String where,
    Duration age,
    String detail,
    Item target,
    String filter,
    long count) {}
