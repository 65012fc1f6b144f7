/** Design tokens, the two themes made of them, fonts and stable account colours. */
@NullMarked
package dev.yardmaster.console.theme;

import org.jspecify.annotations.NullMarked;
