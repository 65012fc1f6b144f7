package dev.yardmaster.engine;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** PriorityFlags that take a factor as it is and not as a share of the highest. */
class PriorityFlagsTest {
  /**
   * Normalized, half the highest PriorityJobFactor, QOS priority and association priority count 500
   * each, and four of sixteen CPUs 250.
   */
  @ParameterizedTest
  @CsvSource({
    "ACCRUE_ALWAYS, 1750",
    "NO_NORMAL_PART, 31250",
    "NO_NORMAL_QOS, 51250",
    "NO_NORMAL_ASSOC, 21250",
    "NO_NORMAL_TRES, 5500",
    "NO_NORMAL_ALL, 104000",
  })
  void aFlagLeavesOneFactorAsItIs(String flag, long priority) {
    List<String> script =
        new ArrayList<>(
            List.of(
                "conf AccountingStorageEnforce associations",
                "set flags=" + flag,
                "set weight=age:0",
                "set weight=size:0",
                "set weight=partition:1000",
                "set weight=qos:1000",
                "set weight=assoc:1000",
                "set weight=cpu:1000",
                "node n1 sockets=2 cores=8 cpus=16 mem=64000",
                "partition main n1 default jobfactor=30",
                "partition other n1 jobfactor=60",
                "acct add qos gold priority=50",
                "acct add qos platinum priority=100",
                "acct add account a",
                "acct add user alice account=a priority=20",
                "acct add user bob account=a priority=40",
                "acct modify account root set qos=normal,gold,platinum",
                "sub full -A a -N1 --exclusive -t60",
                "pass",
                "sub one -A a -n4 -q gold",
                "pass",
                "prio one " + priority));
    Scenario.run(script);
  }
}
