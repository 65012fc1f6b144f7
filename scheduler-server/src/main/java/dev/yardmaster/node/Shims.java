package dev.yardmaster.node;

import dev.yardmaster.controller.Command;
import java.util.HashMap;
import java.util.Map;

/**
 * What keeps the exit status of each batch script, where this daemon has started or found it. Owned
 * by the daemon's thread.
 */
final class Shims {
  private final Map<Command.RunningJob, ProcessHandle> known = new HashMap<>();

  void add(Command.RunningJob run, ProcessHandle shim) {
    known.put(run, shim);
  }

  void forget(Command.RunningJob run) {
    known.remove(run);
  }

  /** The process that keeps the exit status of a run; -1 when it has gone. */
  int of(RunDirectory directory) {
    ProcessHandle shim = known.get(directory.run());
    if (shim != null) {
      return shim.isAlive() ? (int) shim.pid() : -1;
    }
    return Processes.withArgument(directory.path().toString());
  }
}
