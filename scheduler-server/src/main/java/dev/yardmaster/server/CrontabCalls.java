package dev.yardmaster.server;

import dev.yardmaster.api.CrontabWire;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.controller.Command;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Crontab;
import dev.yardmaster.model.CrontabUpdate;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.SlurmError;
import io.grpc.stub.StreamObserver;
import java.util.Objects;

/** Crontabs as they come, and as they are read. */
final class CrontabCalls {
  private CrontabCalls() {}

  static Command command(Identity caller, Rpc.CrontabUpdate request) {
    CrontabUpdate update = CrontabWire.read(request);
    Identity owner = Objects.requireNonNullElse(update.owner(), caller);
    return new Command.SaveCrontab(caller, owner, update.text(), update.jobs());
  }

  /** Answers with the crontab of a user: to that user, and to operators. */
  static void read(
      ClusterState state, Identity caller, String user, StreamObserver<Rpc.Crontab> answer) {
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
