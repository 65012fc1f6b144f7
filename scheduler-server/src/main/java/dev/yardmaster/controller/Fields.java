package dev.yardmaster.controller;

/** Values that submissions and updates read alike. */
final class Fields {
  private Fields() {}

  /**
   * A nice value: a negative one is for administrators.
   *
   * @param limit how far from 0 Slurm lets it be
   */
  static int nice(String value, int limit, boolean administrator) {
    long nice;
    try {
      nice = Long.parseLong(value.strip());
    } catch (NumberFormatException e) {
      throw new Refusal(
          SlurmError.COMMAND_LINE,
          "Invalid --nice value\n\"" + value + "\" is not a number from 0 to " + limit);
    }
    if (nice > limit || nice < -limit) {
      throw new Refusal(
          SlurmError.COMMAND_LINE, "Invalid --nice value, out of range (+/- " + limit + ")");
    }
    if (nice < 0 && !administrator) {
      throw new Refusal(
          SlurmError.INVALID_NICE, "\n" + value + ": only an administrator may give less than 0");
    }
    return (int) nice;
  }
}
