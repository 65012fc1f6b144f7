package dev.yardmaster.cli;

import dev.yardmaster.model.text.TresList;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Amounts with the units that sacct(1) is told to use.
 *
 * @param unit one of {@link #UNITS}; null for the largest in which an amount is a whole number
 * @param raw whether nothing is converted ({@code --noconvert})
 */
record Amounts(@Nullable Character unit, boolean raw) {
  static final String UNITS = "KMGTP";

  private static final int STEP = 1024;

  /** Memory in MiB. */
  String memory(long mib) {
    return mib == 0 ? "0" : number(mib, 1);
  }

  /** A plain number. */
  String plain(long count) {
    return count == 0 ? "0" : number(count, -1);
  }

  /** In the order in which a database keeps them. */
  String tres(Map<String, Long> amounts) {
    List<String> items = new ArrayList<>();
    new TresList(amounts)
        .amounts()
        .forEach(
            (name, amount) ->
                items.add(
                    name + "=" + (name.equals("mem") ? memory(amount) : Long.toString(amount))));
    items.sort(null);
    return String.join(",", items);
  }

  /**
   * @param from the unit that it is in: an index of {@link #UNITS}, -1 for ones
   */
  private String number(double amount, int from) {
    double number = amount;
    int at = from;
    if (unit != null) {
      at = UNITS.indexOf(unit);
      number = amount * Math.pow(STEP, from - at);
    } else if (!raw) {
      // Half of a unit still counts as a whole number.
      while (number >= STEP && (long) number % (STEP / 2) == 0 && at < UNITS.length() - 1) {
        number /= STEP;
        at++;
      }
    }
    String suffix = at < 0 ? "" : String.valueOf(UNITS.charAt(at));
    return number == Math.rint(number)
        ? (long) number + suffix
        : String.format(Locale.ROOT, "%.2f", number) + suffix;
  }
}
