package dev.yardmaster.cli;

/** Values of partitions that are one of several words, and what scontrol(1) says of others. */
final class PartitionValues {
  private PartitionValues() {}

  /**
   * Checks a value.
   *
   * @param name of the field, in lower case
   * @return whether it is one of those that are checked here
   */
  static boolean check(String name, String value) throws CommandFailure {
    return switch (name) {
      case "cpubind" -> {
        demand(
            value.matches("(?i)none|socket|ldom|core|thread|off|"),
            "Invalid input " + name + "=" + value);
        yield true;
      }
      case "exclusive" -> {
        demand(
            value.matches("(?i)no|node|user|topo"),
            "Invalid input: " + name + "=" + value,
            "Acceptable Exclusive values are NO, NODE, USER, TOPO");
        yield true;
      }
      case "overtimelimit" -> {
        demand(
            value.matches("(?i)[0-9]{1,9}|unlimited|infinite|none"),
            "Invalid OverTimeLimit value: " + value);
        yield true;
      }
      default -> false;
    };
  }

  private static void demand(boolean met, String... otherwise) throws CommandFailure {
    if (!met) {
      String[] lines = new String[otherwise.length];
      for (int i = 0; i < lines.length; i++) {
        lines[i] = "scontrol: error: " + otherwise[i];
      }
      throw new CommandFailure(1, lines);
    }
  }
}
