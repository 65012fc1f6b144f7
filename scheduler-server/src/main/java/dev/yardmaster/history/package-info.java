/**
 * The past of the cluster: states as they were, rebuilt from the journal, and what each job showed
 * when. It follows what the controller has made durable and never touches the live state; its file
 * is a projection that can be made anew from the journal at any time.
 */
@NullMarked
package dev.yardmaster.history;

import org.jspecify.annotations.NullMarked;
