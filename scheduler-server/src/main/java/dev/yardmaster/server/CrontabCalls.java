package dev.yardmaster.server;

import dev.yardmaster.api.ClusterWire;
import dev.yardmaster.api.CrontabWire;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.controller.Command;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Crontab;
import dev.yardmaster.model.CrontabUpdate;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.SlurmError;
import io.grpc.stub.StreamObserver;
import java.util.Objects;
import java.util.Optional;

/** Crontabs as they come in submissions of several jobs, and as they are read. */
final class CrontabCalls {
  private CrontabCalls() {}

  /** The command that a submission of several jobs is. */
  static Command command(Identity caller, Rpc.HetSubmission request) {
    Optional<CrontabUpdate> update = CrontabWire.read(request);
    if (update.isPresent()) {
      Identity owner = Objects.requireNonNullElse(update.get().owner(), caller);
      return new Command.SaveCrontab(caller, owner, update.get().text(), update.get().jobs());
    }
    return new Command.SubmitHet(
        caller, request.getComponentsList().stream().map(ClusterWire::read).toList());
  }

  /** Answers with the crontab of a user: to that user, and to operators. */
  static void read(
      ClusterState state, Identity caller, String user, StreamObserver<Wire.Script> answer) {
    Crontab crontab = state.crontabs().get(user);
    if (!caller.user().equals(user) && !new Privacy(state, caller).seesAll()) {
      answer.onError(Refusals.exception(SlurmError.INVALID_USER_ID, null));
    } else if (crontab == null) {
      answer.onError(Refusals.exception(SlurmError.JOB_SCRIPT_MISSING, null));
    } else {
      answer.onNext(CrontabWire.write(crontab));
      answer.onCompleted();
    }
  }
}
