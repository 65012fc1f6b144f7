/** What states share, tried. */
@NullMarked
package dev.yardmaster.engine.state;

import org.jspecify.annotations.NullMarked;
