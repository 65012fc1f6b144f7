@NullMarked
package dev.yardmaster.server;

import org.jspecify.annotations.NullMarked;
