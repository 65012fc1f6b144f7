package dev.yardmaster.controller;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.SlurmError;
import java.math.BigInteger;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code --acctg-freq}: how often the tasks of a job with a memory limit are looked at may not be
 * less than JobAcctGatherFrequency asks for (slurm.conf(5)).
 */
final class AccountingFrequency {
  private static final Pattern TASK = Pattern.compile("(?i)(?:^|,)(?:task=)?([0-9]+)");
  private static final BigInteger DEFAULT = BigInteger.valueOf(30);

  private AccountingFrequency() {}

  /**
   * @throws Refusal when the tasks would be looked at too rarely, or never
   */
  static void check(Map<String, String> options, ClusterConfig config) {
    String asked = options.get("acctg-freq");
    BigInteger seconds = asked == null ? null : tasks(asked);
    boolean free =
        options.getOrDefault("mem", "").matches("0+[KMGT]?")
            || options.getOrDefault("mem-per-cpu", "").matches("0+[KMGT]?");
    if (seconds == null || free) {
      return;
    }
    BigInteger given = tasks(config.setting("JobAcctGatherFrequency").orElse(""));
    BigInteger most = given == null ? DEFAULT : given;
    if (most.signum() > 0 && (seconds.signum() == 0 || seconds.compareTo(most) > 0)) {
      throw new Refusal(
          SlurmError.INVALID_ACCOUNTING_FREQUENCY,
          "\n--acctg-freq=%s: from 1 to %d seconds for a job with a memory limit"
              .formatted(asked, most));
    }
  }

  private static @Nullable BigInteger tasks(String text) {
    Matcher task = TASK.matcher(text);
    return task.find() ? new BigInteger(task.group(1)) : null;
  }
}
