/** Tests of the configuration readers. */
@NullMarked
package dev.yardmaster.config;

import org.jspecify.annotations.NullMarked;
