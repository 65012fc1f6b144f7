package dev.yardmaster.server;

import dev.yardmaster.api.Headers;
import dev.yardmaster.api.StepWire;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.model.SlurmError;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Replies and refusals of the controller on the wire. */
final class Refusals {
  private Refusals() {}

  /**
   * @param nextJobId the id the next job gets
   */
  static Rpc.Reply write(Reply reply, int nextJobId) {
    Rpc.Reply.Builder out = Rpc.Reply.newBuilder();
    switch (reply) {
      case Reply.Done done ->
          out.setDone(Rpc.Reply.Done.newBuilder().addAllNotices(done.notices()));
      case Reply.Submitted submitted ->
          out.setSubmitted(
              Rpc.Reply.Submitted.newBuilder()
                  .setJobId(submitted.jobId())
                  .addAllNotices(submitted.notices()));
      case Reply.StepStarted started -> out.setStep(StepWire.write(started.step()));
      case Reply.WouldStart would ->
          out.setWouldStart(
              Rpc.Reply.WouldStart.newBuilder()
                  .setJobId(nextJobId)
                  .setStart(Updates.timestamp(would.start()))
                  .setCpus(would.cpus())
                  .setNodes(would.nodes())
                  .setPartition(would.partition()));
      case Reply.Refused refused -> {
        Rpc.Reply.Refused.Builder wire =
            Rpc.Reply.Refused.newBuilder()
                .setName(refused.error().name())
                .setNumber(refused.error().number())
                .setText(refused.error().text());
        if (refused.detail() instanceof String detail) {
          wire.setDetail(detail);
        }
        out.setRefused(wire);
      }
    }
    return out.build();
  }

  /** A refusal of a call that has no reply to carry it. */
  static StatusRuntimeException exception(SlurmError error, @Nullable String detail) {
    Metadata trailers = new Metadata();
    trailers.put(Headers.ERROR_NAME, error.name());
    trailers.put(Headers.ERROR_NUMBER, Integer.toString(error.number()));
    if (detail != null) {
      trailers.put(Headers.ERROR_DETAIL, detail.getBytes(StandardCharsets.UTF_8));
    }
    return Status.FAILED_PRECONDITION.withDescription(error.text()).asRuntimeException(trailers);
  }
}
