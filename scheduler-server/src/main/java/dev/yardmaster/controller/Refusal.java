package dev.yardmaster.controller;

import org.jspecify.annotations.Nullable;

/**
 * Ends the handling of a command with {@link Reply.Refused}; nothing of the command takes effect.
 */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Reply.Refused reply;

  Refusal(SlurmError error, @Nullable String detail) {
    this(new Reply.Refused(error, detail));
  }

  Refusal(SlurmError error) {
    this(error, null);
  }

  Refusal(Reply.Refused reply) {
    super(
        reply.error().text() + (reply.detail() == null ? "" : ": " + reply.detail()),
        null,
        false,
        false);
    this.reply = reply;
  }

  Reply.Refused reply() {
    return reply;
  }
}
