/** Everything the user can command, in one registry that menu, palette and shortcut table read. */
@NullMarked
package dev.yardmaster.console.action;

import org.jspecify.annotations.NullMarked;
