package dev.yardmaster.server;

import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.TriggersGrpc;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.Trigger;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NotationException;
import dev.yardmaster.security.Authenticator;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Sets, lists and clears triggers. Their programs run as the user of this server, so that only who
 * rules it may set any: SlurmUser, or root where that is root.
 */
final class TriggerService extends TriggersGrpc.TriggersImplBase {
  private final TriggerBook book;
  private final Supplier<ClusterState> state;

  TriggerService(TriggerBook book, Supplier<ClusterState> state) {
    this.book = book;
    this.state = state;
  }

  @Override
  public void change(Rpc.UpdateRequest request, StreamObserver<Rpc.Reply> answer) {
    Identity caller = Authenticator.caller();
    Map<String, String> fields = request.getFieldsMap();
    Reply reply =
        switch (request.getTarget()) {
          case "get" -> new Reply.Done(book.all().stream().map(Trigger::line).toList());
          case "set" -> set(caller, fields);
          case "clear" -> clear(caller, fields);
          default -> new Reply.Refused(SlurmError.NOT_SUPPORTED, null);
        };
    answer.onNext(Refusals.write(reply, 0));
    answer.onCompleted();
  }

  private String slurmUser() {
    return state.get().config().setting("SlurmUser").orElse("root").replaceFirst("\\(.*", "");
  }

  private boolean rules(Identity caller) {
    return slurmUser().equals("root") ? caller.isRoot() : caller.user().equals(slurmUser());
  }

  private Reply set(Identity caller, Map<String, String> fields) {
    if (!rules(caller)) {
      return new Reply.Refused(
          SlurmError.ACCESS_DENIED, "\ntriggers are set by " + slurmUser() + " (SlurmUser)");
    }
    Trigger trigger;
    try {
      trigger = Trigger.of(fields);
    } catch (IllegalArgumentException e) {
      return new Reply.Refused(SlurmError.INVALID_UPDATE, "\n" + e.getMessage());
    }
    if (trigger.of() == Trigger.Resource.JOB) {
      Job job =
          trigger.resource().matches("[0-9]{1,9}")
              ? state.get().job(Integer.parseInt(trigger.resource()))
              : null;
      if (job == null) {
        return new Reply.Refused(SlurmError.INVALID_JOB_ID, null);
      }
      if (job.state().isFinished()) {
        return new Reply.Refused(SlurmError.JOB_FINISHED, null);
      }
    } else if (!trigger.resource().isEmpty() && !trigger.resource().startsWith("*")) {
      try {
        for (String name : HostList.parse(trigger.resource())) {
          if (state.get().node(name) == null) {
            return new Reply.Refused(SlurmError.INVALID_NODE_NAME, null);
          }
        }
      } catch (NotationException e) {
        return new Reply.Refused(SlurmError.INVALID_NODE_NAME, "\n" + e.getMessage());
      }
    }
    return book.set(trigger, caller.user())
        ? new Reply.Done(List.of())
        : new Reply.Refused(SlurmError.TRIGGER_DUPLICATE, null);
  }

  private Reply clear(Identity caller, Map<String, String> fields) {
    String id = fields.getOrDefault("id", "");
    String job = fields.getOrDefault("job", "");
    String user = fields.getOrDefault("user", "");
    boolean gone =
        book.clear(
            t ->
                (rules(caller) || t.user().equals(caller.user()))
                    && (id.isEmpty() || id.equals(Integer.toString(t.id())))
                    && (user.isEmpty() || user.equals(t.user()))
                    && (job.isEmpty()
                        || t.of() == Trigger.Resource.JOB && t.resource().equals(job)));
    return gone ? new Reply.Done(List.of()) : new Reply.Refused(SlurmError.NO_SUCH_TRIGGER, null);
  }
}
