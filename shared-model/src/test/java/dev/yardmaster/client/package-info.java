@NullMarked
package dev.yardmaster.client;

import org.jspecify.annotations.NullMarked;
