/** Pages that show every component and every state, for those who build views and for pictures. */
@NullMarked
package dev.yardmaster.console.sampler;

import org.jspecify.annotations.NullMarked;
