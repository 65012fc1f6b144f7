package dev.yardmaster.controller;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.SlurmError;
import org.jspecify.annotations.Nullable;

/**
 * Ends the handling of a command with {@link Reply.Refused}; nothing of the command takes effect.
 */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Reply.Refused reply;
  private final transient @Nullable Job record;

  Refusal(SlurmError error, @Nullable String detail) {
    this(new Reply.Refused(error, detail));
  }

  Refusal(SlurmError error) {
    this(error, null);
  }

  Refusal(Reply.Refused reply) {
    this(reply, null);
  }

  /**
   * @param record the submission as far as it has become a record, or null
   */
  Refusal(Reply.Refused reply, @Nullable Job record) {
    super(
        reply.error().text() + (reply.detail() == null ? "" : ": " + reply.detail()),
        null,
        false,
        false);
    this.reply = reply;
    this.record = record;
  }

  @Nullable Job record() {
    return record;
  }

  Reply.Refused reply() {
    return reply;
  }
}
