package dev.yardmaster.cli;

import java.util.List;

/** Signals as the commands name them after a job that one of them ended. */
final class SignalWords {
  private static final int FIRST_REAL_TIME = 34;

  private static final List<String> NAMES =
      List.of(
          "Hangup",
          "Interrupt",
          "Quit",
          "Illegal instruction",
          "Trace/breakpoint trap",
          "Aborted",
          "Bus error",
          "Floating point exception",
          "Killed",
          "User defined signal 1",
          "Segmentation fault",
          "User defined signal 2",
          "Broken pipe",
          "Alarm clock",
          "Terminated");

  private SignalWords() {}

  /** {@code RaisedSignal:11(Segmentation fault)}. */
  static String raised(int signal) {
    String name = name(signal);
    return name.isEmpty() ? "RaisedSignal:" + signal : "RaisedSignal:" + signal + "(" + name + ")";
  }

  /** {@code Segmentation fault}; empty for a number without a name. */
  static String name(int signal) {
    return signal >= FIRST_REAL_TIME
        ? "Real-time signal " + (signal - FIRST_REAL_TIME)
        : signal > 0 && signal <= NAMES.size() ? NAMES.get(signal - 1) : "";
  }
}
