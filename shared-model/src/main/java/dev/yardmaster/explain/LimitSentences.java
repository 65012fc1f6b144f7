package dev.yardmaster.explain;

/**
 * Limits in words: who sets them, what is allowed, used and asked, and how much that is too much.
 */
final class LimitSentences {
  private final Texts texts;
  private final Amounts amounts;

  LimitSentences(Texts texts, Amounts amounts) {
    this.texts = texts;
    this.amounts = amounts;
  }

  String answer(String key, String subject, Gate gate, Evidence.Limit l) {
    return switch (gate) {
      case PARTITION_TIME ->
          texts.get(
              key,
              subject,
              texts.duration(l.asked() * 60),
              l.levelName(),
              texts.duration(l.allowed() * 60));
      case PARTITION_NODES ->
          texts.get(key + "." + l.unit(), subject, l.asked(), l.levelName(), l.allowed());
      case ARRAY_THROTTLE -> texts.get(key, subject, texts.get("unit.task", l.allowed()), l.used());
      default -> countedAnswer(key, subject, l);
    };
  }

  /** Who shares a limit, what they use of it, and what the job asks. */
  private String countedAnswer(String key, String subject, Evidence.Limit l) {
    String scope = texts.get("scope." + scope(l.limit()));
    return texts.get(
        l.used() == 0 ? key + ".alone" : key,
        subject,
        level(l),
        l.levelName(),
        amounts.of(l.unit(), l.allowed()),
        scope,
        amounts.of(l.unit(), l.used()),
        amounts.of(l.unit(), l.asked()),
        l.limit());
  }

  private static String scope(String limit) {
    if (limit.startsWith("Grp")) {
      return "group";
    }
    if (limit.startsWith("Min")) {
      return "least";
    }
    return limit.endsWith("PerUser")
        ? "user"
        : limit.endsWith("PerAccount")
            ? "account"
            : limit.endsWith("PerNode")
                ? "node"
                : limit.equals("MaxJobs") || limit.equals("MaxSubmitJobs") ? "user" : "job";
  }

  String finding(Evidence.Limit l) {
    String allowed = amounts.of(l.unit(), l.allowed());
    String asked = amounts.of(l.unit(), l.asked());
    if (l.used() == 0) {
      return texts.get("finding.limit.alone", level(l), l.levelName(), l.limit(), allowed, asked);
    }
    String used = amounts.of(l.unit(), l.used());
    return l.missing() == 0
        ? texts.get("finding.limit", level(l), l.levelName(), l.limit(), allowed, used, asked)
        : texts.get(
            "finding.limit.missing",
            level(l),
            l.levelName(),
            l.limit(),
            allowed,
            used,
            asked,
            amounts.of(l.unit(), l.missing()));
  }

  /** The kind of level that sets a limit: partition, QOS, account … */
  String level(Evidence.Limit l) {
    String key = "level." + l.levelKind();
    return texts.has(key) ? texts.get(key) : l.levelKind();
  }
}
