package dev.yardmaster.controller;

import java.util.List;
import java.util.Locale;

/** Signal names and numbers of Linux, as scancel(1) and sbatch(1) take them. */
final class Signals {
  private static final List<String> NAMES =
      List.of(
          "", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV",
          "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU",
          "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS");

  private static final long SIXTEEN_BITS = 0xFFFF;

  private Signals() {}

  /** The number of a signal given by name, with or without SIG, or by number; -1 when unknown. */
  static int number(String text) {
    String name = text.strip().toUpperCase(Locale.ROOT);
    if (name.matches("[0-9]{1,2}")) {
      int number = Integer.parseInt(name);
      return number >= 1 && number <= 64 ? number : -1;
    }
    int number = NAMES.indexOf(name.startsWith("SIG") ? name.substring(3) : name);
    return number > 0 ? number : -1;
  }

  /** Whether a text is a value of --signal: {@code [{R|B}:]SIGNAL[@SECONDS]}. */
  static boolean isOption(String text) {
    String[] timed = text.split("@", -1);
    String signal = timed[0].replaceFirst("^[RB]{1,2}:", "").strip();
    boolean number = signal.matches("[-+]?[0-9]{1,18}");
    // Of a number Slurm keeps 16 bits, and whether there is such a signal shows when it is sent.
    boolean known = number ? (Long.parseLong(signal) & SIXTEEN_BITS) != 0 : number(signal) > 0;
    return timed.length <= 2 && known && (timed.length == 1 || timed[1].matches("[0-9]{1,5}"));
  }
}
