package dev.yardmaster.console.terms;

import dev.yardmaster.console.i18n.Texts;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Says in words what Slurm's names of limits say in one: {@code QOSMaxMemoryPerUser} is made of
 * whose limit it is, its kind, the resource, and what it counts for.
 */
final class LimitWords {
  private static final Pattern LIMIT =
      Pattern.compile(
          "(Assoc|QOS|)(Grp|Max|Min)"
              + "(SubmitJobs?|Jobs|CPU|Cpu|Memory|Mem|Node|Energy|GRES|License|BB|Billing|Unknown"
              + "|WallDuration|Wall)"
              + "(RunMinutes|RunMins|Minutes|)(PerJob|PerNode|PerUser|PerAccount|)"
              + "(?:Limit|NotSatisfied|)");

  private static final Map<String, TermsText> RESOURCES =
      Map.ofEntries(
          Map.entry("SubmitJob", TermsText.LIMIT_QUEUED_JOBS),
          Map.entry("SubmitJobs", TermsText.LIMIT_QUEUED_JOBS),
          Map.entry("Jobs", TermsText.LIMIT_JOBS),
          Map.entry("CPU", TermsText.LIMIT_CPU),
          Map.entry("Cpu", TermsText.LIMIT_CPU),
          Map.entry("Mem", TermsText.LIMIT_MEMORY),
          Map.entry("Memory", TermsText.LIMIT_MEMORY),
          Map.entry("Node", TermsText.LIMIT_NODE),
          Map.entry("Energy", TermsText.LIMIT_ENERGY),
          Map.entry("GRES", TermsText.LIMIT_GRES),
          Map.entry("License", TermsText.LIMIT_LICENSE),
          Map.entry("BB", TermsText.LIMIT_BB),
          Map.entry("Billing", TermsText.LIMIT_BILLING),
          Map.entry("Unknown", TermsText.LIMIT_UNKNOWN),
          Map.entry("Wall", TermsText.LIMIT_WALL),
          Map.entry("WallDuration", TermsText.LIMIT_WALL));

  private LimitWords() {}

  /** The words for a name of Slurm's; empty when it is not the name of a limit. */
  static Optional<String> of(String name, Texts texts) {
    if (name.equals("QOSUsageThreshold")) {
      return Optional.of(texts.get(TermsText.LIMIT_THRESHOLD));
    }
    Matcher limit = LIMIT.matcher(name);
    @Nullable TermsText resource = limit.matches() ? RESOURCES.get(limit.group(3)) : null;
    if (resource == null) {
      return Optional.empty();
    }
    String what = counted(limit.group(4), texts.get(resource), texts);
    return Optional.of(texts.get(form(limit), what));
  }

  private static String counted(String minutes, String resource, Texts texts) {
    return switch (minutes) {
      case "" -> resource;
      case "Minutes" -> texts.get(TermsText.LIMIT_MINUTES, resource);
      default -> texts.get(TermsText.LIMIT_RUN_MINUTES, resource);
    };
  }

  private static TermsText form(Matcher limit) {
    if (limit.group(2).equals("Min")) {
      return TermsText.LIMIT_MIN;
    }
    return switch (limit.group(5)) {
      case "PerJob" -> TermsText.LIMIT_PER_JOB;
      case "PerNode" -> TermsText.LIMIT_PER_NODE;
      case "PerUser" -> TermsText.LIMIT_PER_USER;
      case "PerAccount" -> TermsText.LIMIT_PER_ACCOUNT;
      default -> limit.group(1).equals("QOS") ? TermsText.LIMIT_OF_QOS : TermsText.LIMIT_OF_ACCOUNT;
    };
  }
}
