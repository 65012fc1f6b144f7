package dev.yardmaster.model.text;

import java.util.List;
import java.util.Locale;

/**
 * Names of accounts, users of the accounting, QOS, workload keys and clusters. Slurm keeps them in
 * lower case and takes them in any, so that {@code sbatch -A TEST} is charged to the account {@code
 * test} (sacctmgr(1)).
 */
public final class AccountingNames {
  private AccountingNames() {}

  /** The name as it is kept. */
  public static String fold(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** The names as they are kept. */
  public static List<String> fold(List<String> names) {
    return names.stream().map(AccountingNames::fold).toList();
  }

  /** Whether a list, written in any case, has a name. */
  public static boolean has(List<String> list, String name) {
    for (String item : list) {
      if (item.equalsIgnoreCase(name)) {
        return true;
      }
    }
    return false;
  }
}
