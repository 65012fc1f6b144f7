package dev.yardmaster.controller;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Identity;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The settings of slurm.conf(5) that the controller itself obeys, with Slurm's defaults.
 *
 * @param prolog PrologSlurmctld, with its time limit; likewise for Epilog
 */
record Settings(
    Duration killWait,
    Duration slurmdTimeout,
    Duration minJobAge,
    int returnToService,
    boolean jobRequeue,
    int firstJobId,
    int maxJobId,
    int maxJobCount,
    int maxArraySize,
    String slurmUser,
    RegistrationCheck registration,
    long suspendGraceSeconds,
    Duration resvOverRun,
    Duration resumeTimeout,
    String rebootProgram,
    boolean hasEpilog,
    boolean prologAtAllocation,
    boolean prologAlwaysRequeues,
    boolean holdsAfterProlog,
    boolean userResvDelete,
    List<String> prolog,
    List<String> epilog,
    @Nullable Duration prologTimeout,
    @Nullable Duration epilogTimeout) {
  private static final long NO_TIMEOUT = 65_534;

  static Settings of(ClusterConfig config) {
    return new Settings(
        seconds(config, "KillWait", 30),
        seconds(config, "SlurmdTimeout", 300),
        seconds(config, "MinJobAge", 300),
        (int) number(config, "ReturnToService", 0),
        number(config, "JobRequeue", 1) != 0,
        (int) number(config, "FirstJobId", 1),
        (int) number(config, "MaxJobId", 67_043_328),
        (int) number(config, "MaxJobCount", 10_000),
        (int) number(config, "MaxArraySize", 1001),
        config.setting("SlurmUser").orElse("root"),
        RegistrationCheck.of(config),
        suspendGrace(config.setting("PreemptParameters").orElse("")),
        minutes(config.setting("ResvOverRun").orElse("0")),
        resumeTimeout(config),
        config.setting("RebootProgram").orElse(""),
        !config.setting("Epilog").orElse("").isEmpty(),
        !config.setting("Prolog").orElse("").isEmpty()
            && !prologFlags(config).replaceAll("\\bserial\\b|[, ]", "").isEmpty(),
        prologFlags(config).contains("forcerequeueonfail"),
        !config
            .setting("SchedulerParameters")
            .orElse("")
            .toLowerCase(Locale.ROOT)
            .contains("nohold_on_prolog_fail"),
        config
            .setting("SlurmctldParameters")
            .orElse("")
            .toLowerCase(Locale.ROOT)
            .contains("user_resv_delete"),
        list(config, "PrologSlurmctld"),
        list(config, "EpilogSlurmctld"),
        timeout(config, "PrologTimeout"),
        timeout(config, "EpilogTimeout"));
  }

  /** All flags but Serial mean that Prolog runs at the allocation. */
  private static String prologFlags(ClusterConfig config) {
    return config.setting("PrologFlags").orElse("").toLowerCase(Locale.ROOT);
  }

  /** ResvOverRun: minutes, or UNLIMITED for a year. */
  private static Duration minutes(String text) {
    return text.matches("[0-9]{1,6}")
        ? Duration.ofMinutes(Long.parseLong(text))
        : Duration.ofDays(365);
  }

  /** PreemptParameters=suspend_grace_time, in seconds. */
  private static long suspendGrace(String parameters) {
    for (String word : parameters.toLowerCase(Locale.ROOT).split(",")) {
      if (word.strip().matches("suspend_grace_time=[0-9]{1,9}")) {
        return Long.parseLong(word.strip().replaceFirst(".*=", ""));
      }
    }
    return 2;
  }

  /** ResumeTimeout: seconds, or INFINITE. */
  private static Duration resumeTimeout(ClusterConfig config) {
    boolean never = config.setting("ResumeTimeout").orElse("").equalsIgnoreCase("INFINITE");
    return never ? Duration.ofDays(36_500) : seconds(config, "ResumeTimeout", 60);
  }

  private static List<String> list(ClusterConfig config, String key) {
    return Arrays.stream(config.setting(key).orElse("").split(","))
        .map(String::strip)
        .filter(s -> !s.isEmpty())
        .toList();
  }

  /** Null for no limit. */
  private static @Nullable Duration timeout(ClusterConfig config, String key) {
    long seconds = number(config, key, number(config, "PrologEpilogTimeout", -1));
    return seconds < 0 || seconds == NO_TIMEOUT ? null : Duration.ofSeconds(seconds);
  }

  private static Duration seconds(ClusterConfig config, String key, long otherwise) {
    return Duration.ofSeconds(number(config, key, otherwise));
  }

  /** The number a setting has; the reader of the files has already reported one that is none. */
  private static long number(ClusterConfig config, String key, long otherwise) {
    try {
      return config.setting(key).map(String::strip).map(Long::parseLong).orElse(otherwise);
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  /** Root and the SlurmUser may change everything. */
  boolean isAdministrator(Identity who) {
    return who.isRoot() || who.user().equals(slurmUser);
  }
}
