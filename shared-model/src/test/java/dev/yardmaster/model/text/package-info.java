@NullMarked
package dev.yardmaster.model.text;

import org.jspecify.annotations.NullMarked;
