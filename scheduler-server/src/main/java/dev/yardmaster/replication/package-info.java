/**
 * The journal of several controllers: what one of them wants to append is written by all, by votes
 * (Raft), so that it is there as long as most of them are. Loaded only where there are three
 * controllers or more.
 */
@NullMarked
package dev.yardmaster.replication;

import org.jspecify.annotations.NullMarked;
