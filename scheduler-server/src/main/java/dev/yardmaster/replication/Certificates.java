package dev.yardmaster.replication;

import java.nio.file.Path;

/**
 * By what the controllers know each other: each shows a certificate of the authority.
 *
 * @param key of this one
 * @param certificate of this one
 * @param authority that all trust
 */
public record Certificates(Path key, Path certificate, Path authority) {}
