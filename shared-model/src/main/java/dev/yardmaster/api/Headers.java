package dev.yardmaster.api;

import io.grpc.Metadata;

/** Names of the headers that carry a caller's credential and version. */
public final class Headers {
  /**
   * Name and ids of the caller's unix user and group: {@code user:uid:group:gid}, the names
   * URL-encoded.
   */
  public static final Metadata.Key<String> IDENTITY = key("yardmaster-identity");

  /** The private token. */
  public static final Metadata.Key<String> TOKEN = key("yardmaster-token");

  /** Slurm's error number of a call that was refused. */
  public static final Metadata.Key<String> ERROR_NUMBER = key("yardmaster-error");

  /** The error's name in the controller. */
  public static final Metadata.Key<String> ERROR_NAME = key("yardmaster-error-name");

  /** What there is to say beyond Slurm's words for the error; UTF-8. */
  public static final Metadata.Key<byte[]> ERROR_DETAIL =
      Metadata.Key.of("yardmaster-detail-bin", Metadata.BINARY_BYTE_MARSHALLER);

  /** The caller's version of the contract. */
  public static final Metadata.Key<String> CONTRACT = key("yardmaster-contract");

  /** The version of the contract that this code speaks; grows when an old peer cannot follow. */
  public static final String CONTRACT_VERSION = "1";

  private Headers() {}

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }
}
