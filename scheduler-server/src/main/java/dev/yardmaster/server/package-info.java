/**
 * The controller as a process: gRPC services in front of it, the wiring of its parts, and the entry
 * point of every command.
 */
@NullMarked
package dev.yardmaster.server;

import org.jspecify.annotations.NullMarked;
