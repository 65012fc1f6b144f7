/** What the inspector tells of the selected thing. */
@NullMarked
package dev.yardmaster.console.inspector;

import org.jspecify.annotations.NullMarked;
