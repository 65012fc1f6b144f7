package dev.yardmaster.api;

import dev.yardmaster.api.v1.WireExplain;
import dev.yardmaster.explain.JobHistory;
import dev.yardmaster.explain.JobHistory.Edit;
import dev.yardmaster.explain.JobHistory.Stage;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;

/** {@link JobHistory} on the wire, complete. */
public final class HistoryWire {
  private HistoryWire() {}

  public static WireExplain.JobHistory write(JobHistory history) {
    return WireExplain.JobHistory.newBuilder()
        .setJobId(history.jobId())
        .setDisplayId(history.displayId())
        .setJobName(history.jobName())
        .setUser(history.user())
        .setAccount(history.account())
        .setBegins(Fields.timestamp(history.begins()))
        .addAllStages(history.stages().stream().map(HistoryWire::stage).toList())
        .build();
  }

  /**
   * @throws WireException when the message has a word this version does not know
   */
  public static JobHistory read(WireExplain.JobHistory in) {
    return new JobHistory(
        in.getJobId(),
        in.getDisplayId(),
        in.getJobName(),
        in.getUser(),
        in.getAccount(),
        Fields.instant(in.getBegins()),
        in.getStagesList().stream().map(HistoryWire::stage).toList());
  }

  private static WireExplain.JobHistory.Stage stage(Stage stage) {
    WireExplain.JobHistory.Stage.Builder out =
        WireExplain.JobHistory.Stage.newBuilder()
            .setMoment(stage.moment())
            .setFrom(Fields.timestamp(stage.from()))
            .setState(stage.state().name())
            .setCompleting(stage.completing())
            .setReason(stage.reason().name())
            .setReasonText(stage.reasonText())
            .setRestarts(stage.restarts())
            .setNodes(stage.nodes());
    if (stage.until() != null) {
      out.setUntil(Fields.timestamp(stage.until()));
    }
    for (Edit edit : stage.edits()) {
      out.addEdits(
          WireExplain.JobHistory.Edit.newBuilder()
              .setMoment(edit.moment())
              .setAt(Fields.timestamp(edit.at()))
              .setBy(edit.by())
              .setChange(edit.change()));
    }
    return out.build();
  }

  private static Stage stage(WireExplain.JobHistory.Stage in) {
    return new Stage(
        in.getMoment(),
        Fields.instant(in.getFrom()),
        Fields.instant(in.hasUntil(), in.getUntil()),
        Fields.word(JobState.class, in.getState()),
        in.getCompleting(),
        Fields.word(Reason.class, in.getReason()),
        in.getReasonText(),
        in.getRestarts(),
        in.getNodes(),
        in.getEditsList().stream()
            .map(e -> new Edit(e.getMoment(), Fields.instant(e.getAt()), e.getBy(), e.getChange()))
            .toList());
  }
}
