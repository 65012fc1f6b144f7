package dev.yardmaster.controller;

import dev.yardmaster.controller.accounts.AccountingEditor;
import dev.yardmaster.controller.accounts.Edit;
import dev.yardmaster.controller.accounts.EditFailure;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.AccountingChange;
import dev.yardmaster.model.SlurmError;

/** sacctmgr: changes of accounts, users, QOS and associations. */
final class AccountingCommands {
  private AccountingCommands() {}

  static Reply change(Turn turn, Command.ChangeAccounting command) {
    boolean administrator = turn.settings().isAdministrator(command.by());
    AccountingEditor editor = new AccountingEditor(turn.state(), administrator, command.by());
    Edit edit;
    try {
      edit = editor.edit(command.words());
    } catch (EditFailure e) {
      throw new Refusal(SlurmError.ACCOUNTING, String.join("\n", e.lines()));
    }
    if (!command.tryOut()) {
      emit(turn, command, edit);
    }
    return new Reply.Done(edit.lines());
  }

  private static void emit(Turn turn, Command.ChangeAccounting command, Edit edit) {
    String by = command.by().user();
    if (!edit.change().equals(AccountingChange.NONE)) {
      String what = String.join(" ", command.words());
      turn.emit(new Event.AccountingChanged(turn.now(), edit.change(), by, what));
    }
    if (!edit.resetAssociations().isEmpty() || !edit.resetQos().isEmpty()) {
      turn.emit(new Event.UsageReset(turn.now(), edit.resetAssociations(), edit.resetQos(), by));
    }
    turn.requestPassForAccounts();
  }
}
