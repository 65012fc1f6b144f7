/** Who calls: credentials of connections, and where a server may listen. */
@NullMarked
package dev.yardmaster.security;

import org.jspecify.annotations.NullMarked;
