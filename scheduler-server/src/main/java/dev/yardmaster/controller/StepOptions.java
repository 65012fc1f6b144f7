package dev.yardmaster.controller;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.SlurmError;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Options that only a job's steps use; checked at submission, with the words of Slurm's client. */
final class StepOptions {
  private static final Set<String> GRES_FLAGS =
      Set.of(
          "allow-task-sharing",
          "disable-binding",
          "enforce-binding",
          "multiple-tasks-per-sharing",
          "one-task-per-sharing");
  private static final Set<String> PROFILES =
      Set.of("all", "none", "energy", "task", "filesystem", "lustre", "network");

  private StepOptions() {}

  static void check(Options options, ClusterConfig config) {
    words(options, "gres-flags", GRES_FLAGS, "Invalid --gres-flags specification: %s");
    String needed = "MULTIPLE_SHARING_GRES_PJ";
    boolean several = config.scheduling().selectParameters().contains(needed);
    if (!several && options.text("gres-flags", "").contains("one-task-per-sharing")) {
      throw new Refusal(
          SlurmError.COMMAND_LINE,
          "In order to use --gres-flags=one-task-per-sharing you must also have"
              + " SelectTypeParameters="
              + needed
              + " in your slurm.conf");
    }
    profile(options);
    String bind = options.get("gpu-bind");
    if (bind != null
        && !bind.toLowerCase(Locale.ROOT)
            .matches(
                "(v(erbose)?,)?(closest|none|(single|per_task|map_gpu|mask_gpu|map|mask):.+)")) {
      throw new Refusal(SlurmError.COMMAND_LINE, "Invalid --gpu-bind argument: " + bind);
    }
    String binding = options.text("tres-bind", "");
    if (!binding.isEmpty() && !binding.matches("(?i)gres/[^:+]+:[^+]+(\\+gres/[^:+]+:[^+]+)*")) {
      throw new Refusal(
          SlurmError.INVALID_TRES, "\n--tres-bind: write gres/NAME:BINDING, not " + binding);
    }
    String signal = options.get("signal");
    if (signal != null && !Signals.isOption(signal)) {
      throw options.invalid("signal", "write [R|B]:SIGNAL[@SECONDS]");
    }
  }

  private static void profile(Options options) {
    String value = options.get("profile");
    boolean known =
        value == null
            || List.of(value.toLowerCase(Locale.ROOT).split(",", -1)).stream()
                .allMatch(PROFILES::contains);
    if (!known) {
      throw new Refusal(
          SlurmError.COMMAND_LINE,
          "invalid --profile=%s option\n--profile: %s".formatted(value, PROFILES));
    }
  }

  private static void words(Options options, String name, Set<String> known, String refusal) {
    String value = options.get(name);
    if (value == null || value.isEmpty()) {
      return;
    }
    for (String part : value.split(",", -1)) {
      if (!known.contains(part.toLowerCase(Locale.ROOT))) {
        throw new Refusal(
            SlurmError.COMMAND_LINE, refusal.formatted(part) + "\n--" + name + ": " + known);
      }
    }
  }
}
