/** The frame of the window: top bar, activities, explorer, inspector, tool area, status bar. */
@NullMarked
package dev.yardmaster.console.shell;

import org.jspecify.annotations.NullMarked;
