package dev.yardmaster.model;

import dev.yardmaster.model.text.Memory;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What resources are charged with (slurm.conf(5), TRESBillingWeights and PriorityFlags): the
 * weighted sum, or with MAX_TRES the largest of what belongs to nodes; without weights one for each
 * CPU.
 */
public final class Billing {
  private Billing() {}

  /**
   * The billing of amounts in a partition.
   *
   * @param flags PriorityFlags, upper case
   */
  public static long of(
      Map<String, Long> amounts, @Nullable Partition partition, Set<String> flags) {
    if (partition == null || partition.billingWeights().isEmpty()) {
      return amounts.getOrDefault(Tres.CPU, 0L);
    }
    boolean largest = flags.contains("MAX_TRES");
    boolean largestButGres = flags.contains("MAX_TRES_GRES");
    double sum = 0;
    double most = 0;
    for (Map.Entry<String, String> weight : partition.billingWeights().entrySet()) {
      String name = weight.getKey().toLowerCase(Locale.ROOT);
      double value = weighted(name, weight.getValue().strip(), amounts);
      boolean global = name.startsWith("license/") || name.startsWith("bb/");
      boolean added = global || largestButGres && name.startsWith("gres/");
      if ((largest || largestButGres) && !added) {
        most = Math.max(most, value);
      } else {
        sum += value;
      }
    }
    return (long) (sum + most);
  }

  /** Memory is weighed in the unit that is written. */
  private static double weighted(String name, String weight, Map<String, Long> amounts) {
    String number = weight;
    double unit = 1;
    char last = weight.isEmpty() ? '0' : Character.toUpperCase(weight.charAt(weight.length() - 1));
    if (name.equals(Tres.MEM) && Character.isLetter(last)) {
      unit = Memory.parse("1" + last);
      number = weight.substring(0, weight.length() - 1);
    }
    try {
      return Double.parseDouble(number) * amounts.getOrDefault(name, 0L) / unit;
    } catch (NumberFormatException e) {
      // The reader of the files has reported it; it weighs nothing.
      return 0;
    }
  }
}
