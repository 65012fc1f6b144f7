package dev.yardmaster.config;

import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.PriorityPolicy;
import dev.yardmaster.model.SchedulingPolicy;
import dev.yardmaster.model.text.TimeLimits;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** How jobs are ordered, picked and placed, from the settings of slurm.conf. */
final class PolicyReader {
  private static final Set<String> CONSUMED =
      Set.of(
          "CR_CORE",
          "CR_CORE_MEMORY",
          "CR_CPU",
          "CR_CPU_MEMORY",
          "CR_MEMORY",
          "CR_SOCKET",
          "CR_SOCKET_MEMORY");
  private static final long UINT32 = 0xFFFF_FFFFL;

  private final Statements conf;
  private final Findings findings;

  PolicyReader(Statements conf, Findings findings) {
    this.conf = conf;
    this.findings = findings;
  }

  SchedulingPolicy scheduling() {
    SortedMap<String, String> given = schedulerParameters();
    boolean linear = conf.text("SelectType").equalsIgnoreCase("select/linear");
    Set<String> select = selectParameters(linear);
    boolean said = conf.last("SelectTypeParameters").isPresent();
    boolean memory = said ? select.stream().anyMatch(p -> p.endsWith("_MEMORY")) : !linear;
    boolean cpus = select.contains("CR_CPU") || select.contains("CR_CPU_MEMORY");
    int perAssoc = option(given, "bf_max_job_assoc");
    int perUser = option(given, "bf_max_job_user");
    if (perAssoc > 0 && perUser > 0) {
      conf.last("SchedulerParameters")
          .ifPresent(
              s ->
                  findings.warn(
                      s.withValue("bf_max_job_user=" + perUser),
                      "has no effect beside bf_max_job_assoc",
                      "remove one of the two"));
    }
    return new SchedulingPolicy(
        conf.text("SchedulerType").equalsIgnoreCase("sched/backfill"),
        linear,
        !linear && !cpus,
        memory,
        select.contains("CR_LLN"),
        option(given, "bf_window"),
        option(given, "bf_resolution"),
        option(given, "bf_interval"),
        option(given, "bf_max_job_test"),
        option(given, "bf_max_job_start"),
        perAssoc > 0 ? 0 : perUser,
        option(given, "bf_max_job_part"),
        perAssoc,
        option(given, "bf_max_job_user_part"),
        given.containsKey("bf_continue"),
        option(given, "default_queue_depth"),
        option(given, "sched_interval"),
        given,
        select);
  }

  private Set<String> selectParameters(boolean linear) {
    Setting at = conf.last("SelectTypeParameters").orElse(null);
    Set<String> select = new TreeSet<>();
    if (at == null) {
      return select;
    }
    Values.list(at.value()).forEach(p -> select.add(p.toUpperCase(Locale.ROOT)));
    List<String> consumed = select.stream().filter(CONSUMED::contains).toList();
    if (consumed.size() > 1) {
      findings.fatal(at, String.join(" and ", consumed) + " exclude each other", "keep one");
    } else if (!linear && (consumed.isEmpty() || consumed.contains("CR_MEMORY"))) {
      findings.fatal(
          at,
          "says not what is allocated with select/cons_tres",
          "add CR_Core_Memory, CR_Core, CR_CPU_Memory, CR_CPU, CR_Socket_Memory or CR_Socket");
    } else if (linear && !consumed.isEmpty() && !consumed.contains("CR_MEMORY")) {
      findings.error(at, "select/linear allocates whole nodes", "write CR_Memory or drop it");
    }
    if (select.contains("CR_ONE_TASK_PER_CORE")
        && (consumed.contains("CR_CPU") || consumed.contains("CR_CPU_MEMORY"))) {
      findings.fatal(at, "CR_ONE_TASK_PER_CORE and CR_CPU exclude each other", "write CR_Core");
    }
    return select;
  }

  private SortedMap<String, String> schedulerParameters() {
    SortedMap<String, String> given = new TreeMap<>();
    Setting at = conf.last("SchedulerParameters").orElse(null);
    if (at == null) {
      return Immutable.sortedMap(given);
    }
    KeyTable table = KeyTable.of(Section.SCHEDULER_PARAMETERS);
    for (String item : Values.list(at.value())) {
      int equals = item.indexOf('=');
      String name = equals < 0 ? item : item.substring(0, equals);
      String value = equals < 0 ? "" : item.substring(equals + 1);
      Setting here = at.withValue(item);
      Optional<KeySpec> spec = table.find(name);
      if (spec.isEmpty() || spec.get().status() == KeySpec.Status.UNKNOWN) {
        String help = spec.map(s -> "write " + s.note()).orElseGet(() -> like(table, name));
        findings.warn(here, "unknown option " + name + ", without effect", help);
        given.put(name.toLowerCase(Locale.ROOT), value);
      } else if (accepted(here, spec.get(), value)) {
        String current =
            table.find(spec.get().note()).isPresent() ? spec.get().note() : spec.get().name();
        given.put(current.toLowerCase(Locale.ROOT), value);
      }
    }
    return Immutable.sortedMap(given);
  }

  private static String like(KeyTable table, String name) {
    return table.nearest(name).map(n -> "did you mean " + n + "?").orElse("drop it");
  }

  private boolean accepted(Setting here, KeySpec spec, String value) {
    if (spec.status() == KeySpec.Status.DEPRECATED) {
      findings.warn(here, spec.name() + " is deprecated", "write " + spec.note());
    }
    Optional<String> wrong = ValueCheck.wrong(value, spec);
    if (wrong.isEmpty()) {
      return true;
    }
    String used = spec.defaultValue().isEmpty() ? "" : "; " + spec.defaultValue() + " is used";
    findings.error(here, wrong.get() + used, ValueCheck.help(value, spec));
    return false;
  }

  private static int option(Map<String, String> given, String name) {
    String fallback =
        KeyTable.of(Section.SCHEDULER_PARAMETERS).find(name).map(KeySpec::defaultValue).orElse("0");
    return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(given.getOrDefault(name, fallback)));
  }

  PriorityPolicy priority() {
    Set<String> flags = new TreeSet<>();
    Values.list(conf.text("PriorityFlags")).forEach(f -> flags.add(f.toUpperCase(Locale.ROOT)));
    long halfLife = seconds("PriorityDecayHalfLife");
    String reset = conf.text("PriorityUsageResetPeriod").toUpperCase(Locale.ROOT);
    if (halfLife == 0 && conf.last("PriorityUsageResetPeriod").isEmpty()) {
      conf.last("PriorityDecayHalfLife")
          .ifPresent(
              s ->
                  findings.fatal(
                      s,
                      "without decay usage grows for ever",
                      "write PriorityUsageResetPeriod= as well, or a half-life above 0"));
    }
    long period = seconds("PriorityCalcPeriod");
    if (period < 60) {
      conf.last("PriorityCalcPeriod")
          .ifPresent(s -> findings.fatal(s, "shorter than a minute", "write 1 or more"));
    }
    return new PriorityPolicy(
        conf.text("PriorityType").equalsIgnoreCase("priority/multifactor"),
        halfLife,
        Math.max(60, period),
        seconds("PriorityMaxAge"),
        conf.truth("PriorityFavorSmall"),
        weight("PriorityWeightAge"),
        weight("PriorityWeightAssoc"),
        weight("PriorityWeightFairshare"),
        weight("PriorityWeightJobSize"),
        weight("PriorityWeightPartition"),
        weight("PriorityWeightQOS"),
        weightTres(),
        flags,
        reset,
        (int) Math.max(1, conf.number("FairShareDampeningFactor")));
  }

  /** Slurm keeps whole minutes times 60 in 32 bits, and so an unlimited time as 136 years. */
  private long seconds(String key) {
    return TimeLimits.parseMinutes(conf.text(key)) * 60 & UINT32;
  }

  private long weight(String key) {
    long weight = conf.number(key);
    return weight < 0 ? UINT32 : weight;
  }

  private SortedMap<String, Long> weightTres() {
    SortedMap<String, Long> weights = new TreeMap<>();
    Setting at = conf.last("PriorityWeightTRES").orElse(null);
    for (String item : at == null ? List.<String>of() : Values.list(at.value())) {
      int equals = item.indexOf('=');
      String number = item.substring(equals + 1);
      if (at != null && (equals < 1 || !number.matches("\\d{1,10}(\\.\\d*)?"))) {
        findings.fatal(
            at, "\"" + item + "\" is not a weight", "write for example CPU=1000,GRES/gpu=3000");
        continue;
      }
      int dot = number.indexOf('.');
      weights.put(
          tresName(item.substring(0, equals)),
          Long.parseLong(dot < 0 ? number : number.substring(0, dot)));
    }
    return Immutable.sortedMap(weights);
  }

  /** TRES names compare without regard to case; the kind is kept in lower case. */
  private static String tresName(String name) {
    int slash = name.indexOf('/');
    return slash < 0
        ? name.toLowerCase(Locale.ROOT)
        : name.substring(0, slash).toLowerCase(Locale.ROOT) + name.substring(slash);
  }
}
