package dev.yardmaster.model;

/** How a process ended, printed {@code code:signal} as Slurm does. */
public record ExitCode(int code, int signal) {
  public static final ExitCode OK = new ExitCode(0, 0);

  public boolean isOk() {
    return code == 0 && signal == 0;
  }

  @Override
  public String toString() {
    return code + ":" + signal;
  }
}
