package dev.yardmaster.model.text;

/** What sinfo adds to plain values in its columns. */
public final class SinfoText {
  private SinfoText() {}

  /**
   * A partition as sinfo names it.
   *
   * @param isDefault whether the star of the default partition stood behind the name
   */
  public record PartitionName(String name, boolean isDefault) {
    @Override
    public String toString() {
      return isDefault ? name + "*" : name;
    }
  }

  /**
   * A number of a group of nodes.
   *
   * @param min the number of the smallest node
   * @param more whether other nodes of the group have more, {@code 32+}
   */
  public record Amount(long min, boolean more) {
    @Override
    public String toString() {
      return more ? min + "+" : Long.toString(min);
    }
  }

  /** Reads the PARTITION column. The star is a mark, never a part of the name. */
  public static PartitionName partition(String text) {
    String name = text.strip();
    return name.endsWith("*")
        ? new PartitionName(name.substring(0, name.length() - 1), true)
        : new PartitionName(name, false);
  }

  /** Reads a number column such as CPUS or MEMORY. */
  public static Amount amount(String text) {
    String plain = text.strip();
    var scan = new Scan("sinfo number", plain);
    long min = scan.number("a number", Units.MAX);
    boolean more = scan.accept('+');
    if (!scan.end()) {
      throw scan.error(scan.at, scan.unexpected(), "expected 32 or 32+");
    }
    return new Amount(min, more);
  }
}
