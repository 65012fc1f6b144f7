/**
 * What is kept of jobs that ran: records made of committed events, where they are kept, and how
 * they are found.
 */
@NullMarked
package dev.yardmaster.accounting;

import org.jspecify.annotations.NullMarked;
