package dev.yardmaster.client;

import dev.yardmaster.api.StepWire;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.model.JobStep;
import java.time.Instant;
import java.util.List;

/** Takes the controller's replies apart. */
final class Replies {
  private Replies() {}

  static List<String> done(Rpc.Reply reply) throws ClientException {
    return switch (reply.getKindCase()) {
      case DONE -> List.copyOf(reply.getDone().getNoticesList());
      case REFUSED, SUBMITTED, WOULD_START, STEP, KIND_NOT_SET -> throw unexpected(reply);
    };
  }

  static SchedulerClient.Submitted submitted(Rpc.Reply reply) throws ClientException {
    return switch (reply.getKindCase()) {
      case SUBMITTED ->
          new SchedulerClient.Submitted(
              reply.getSubmitted().getJobId(), reply.getSubmitted().getNoticesList());
      case REFUSED, DONE, WOULD_START, STEP, KIND_NOT_SET -> throw unexpected(reply);
    };
  }

  static SchedulerClient.WouldStart wouldStart(Rpc.Reply reply) throws ClientException {
    return switch (reply.getKindCase()) {
      case WOULD_START -> {
        Rpc.Reply.WouldStart would = reply.getWouldStart();
        yield new SchedulerClient.WouldStart(
            would.getJobId(),
            Instant.ofEpochSecond(would.getStart().getSeconds(), would.getStart().getNanos()),
            would.getCpus(),
            would.getNodes(),
            would.getPartition());
      }
      case REFUSED, DONE, SUBMITTED, STEP, KIND_NOT_SET -> throw unexpected(reply);
    };
  }

  static JobStep step(Rpc.Reply reply) throws ClientException {
    return switch (reply.getKindCase()) {
      case STEP -> StepWire.read(reply.getStep());
      case REFUSED, DONE, SUBMITTED, WOULD_START, KIND_NOT_SET -> throw unexpected(reply);
    };
  }

  private static ClientException unexpected(Rpc.Reply reply) {
    if (reply.hasRefused()) {
      Rpc.Reply.Refused refused = reply.getRefused();
      return new ClientException.Refused(
          refused.getName(),
          refused.getNumber(),
          refused.getText(),
          refused.hasDetail() ? refused.getDetail() : null);
    }
    return new ClientException.WrongVersion(
        "the controller answered with something else: " + reply.getKindCase(), null);
  }
}
