/**
 * The gRPC contract ({@code dev.yardmaster.api.v1}, generated) and its mapping to the model. Wire
 * types are seen here, in the client and in the server, and nowhere else.
 */
@NullMarked
package dev.yardmaster.api;

import org.jspecify.annotations.NullMarked;
