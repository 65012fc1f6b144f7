@NullMarked
package dev.yardmaster.api;

import org.jspecify.annotations.NullMarked;
