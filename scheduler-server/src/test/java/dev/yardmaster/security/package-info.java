@NullMarked
package dev.yardmaster.security;

import org.jspecify.annotations.NullMarked;
