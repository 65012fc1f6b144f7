package dev.yardmaster.model;

/** How a process ended, printed {@code code:signal} as Slurm does. */
public record ExitCode(int code, int signal) {
  public static final ExitCode OK = new ExitCode(0, 0);

  /** What Slurm says for a signal when the kernel killed for lack of memory. */
  public static final int OUT_OF_MEMORY = 125;

  public boolean isOk() {
    return code == 0 && signal == 0;
  }

  /**
   * The one that counts for a step of several nodes, and as the derived exit code of a job: the
   * highest as wait(2) numbers them, so that any exit code counts more than a signal, and lack of
   * memory most of all.
   */
  public static ExitCode highest(ExitCode first, ExitCode second) {
    return second.signal == OUT_OF_MEMORY || second.number() > first.number() ? second : first;
  }

  private int number() {
    return code << 8 | signal;
  }

  /** The one that counts for srun(1): lack of memory, else the highest signal or exit code. */
  public static ExitCode strongest(ExitCode first, ExitCode second) {
    if (first.signal == OUT_OF_MEMORY || second.signal == OUT_OF_MEMORY) {
      return first.signal == OUT_OF_MEMORY ? first : second;
    }
    boolean more =
        second.signal == first.signal ? second.code > first.code : second.signal > first.signal;
    return more ? second : first;
  }

  /** What a shell shows of it, as srun(1) returns it. */
  public int ofShell() {
    return signal == OUT_OF_MEMORY ? 1 : signal != 0 ? 128 + signal : code;
  }

  @Override
  public String toString() {
    return code + ":" + signal;
  }
}
