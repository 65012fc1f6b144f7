package dev.yardmaster.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.PriorityFactors;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.text.HostList;
import java.text.MessageFormat;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WordsTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final Locale SPANISH = Locale.of("es");
  private final Words english = Words.of(Locale.ENGLISH, ZoneId.of("UTC"));
  private final Words spanish = Words.of(SPANISH, ZoneId.of("UTC"));

  @Test
  void bothLanguagesHaveTheSameKeysAndPlaceholders() {
    ResourceBundle en = ResourceBundle.getBundle("dev.yardmaster.explain.words", Locale.ROOT);
    ResourceBundle es = ResourceBundle.getBundle("dev.yardmaster.explain.words", SPANISH);
    assertThat(new TreeSet<>(es.keySet())).isEqualTo(new TreeSet<>(en.keySet()));
    for (String key : en.keySet()) {
      assertThat(new MessageFormat(es.getString(key)).getFormatsByArgumentIndex())
          .as(key)
          .hasSameSizeAs(new MessageFormat(en.getString(key)).getFormatsByArgumentIndex());
    }
  }

  @Test
  void everyConstantHasWords() {
    List<String> missing = new ArrayList<>();
    ResourceBundle en = ResourceBundle.getBundle("dev.yardmaster.explain.words", Locale.ROOT);
    for (Gate gate : Gate.values()) {
      require(en, missing, "gate." + gate);
      if (gate != Gate.HOLD) {
        require(en, missing, "answer." + gate);
      }
    }
    for (Evidence.Cause cause : Evidence.Cause.values()) {
      require(en, missing, "fall." + cause);
    }
    for (Remedy.Lever lever : Remedy.Lever.values()) {
      require(en, missing, "remedy." + lever);
    }
    for (Verdict verdict : Verdict.values()) {
      require(en, missing, "verdict." + verdict);
    }
    for (Outcome outcome : Outcome.values()) {
      require(en, missing, "outcome." + outcome);
    }
    assertThat(missing).isEmpty();
  }

  private String words(Remedy.Lever lever, String from, String to, String command) {
    Remedy remedy =
        new Remedy(
            lever, from, to, Instant.EPOCH, HostList.parse("n1"), 60L, List.of(), command, true);
    return english.remedy(remedy);
  }

  @Test
  void limitsThatAreRaisedTogetherAndGpusByWhatTheyAreCountedOverAreTold() {
    assertThat(words(Remedy.Lever.RAISE_LIMIT, "lab GrpTRES\nQOS wide MaxJobs", "cpu=8\n2", ""))
        .isEqualTo("Raise together: lab GrpTRES to cpu=8, QOS wide MaxJobs to 2");
    for (String over : List.of("job=in all", "task=for each task", "socket=on each socket")) {
      String[] parts = over.split("=");
      String command = "scontrol update job=7 tresper" + parts[0] + "=gres/gpu:2";
      assertThat(words(Remedy.Lever.FEWER_GPUS, "gres/gpu:4", "gres/gpu:2", command))
          .isEqualTo("Ask for gres/gpu:2 " + parts[1] + " instead of gres/gpu:4");
    }
  }

  private static Finding failed(Gate gate, Evidence evidence) {
    return new Finding(gate, Outcome.FAIL, true, evidence);
  }

  private String answer(Verdict verdict, Gate gate, Evidence evidence) {
    return english.answer(explanation(verdict, gate, failed(gate, evidence), null));
  }

  @Test
  void aJobThatIsStoppedIsNotSaidToRun() {
    assertThat(answer(Verdict.RUNNING, Gate.HOLD, new Evidence.Held(Hold.ADMIN)))
        .isEqualTo(
            "Job 4711 qwen-finetune is suspended by an operator; it goes on when an operator"
                + " resumes it (scontrol resume 4711).");
    assertThat(
            answer(
                Verdict.RUNNING,
                Gate.PRIORITY,
                new Evidence.Preempted(9, Preemption.Mode.SUSPEND, NOW, NOW)))
        .isEqualTo(
            "Job 4711 qwen-finetune is stopped: job 9 has its cores, and it goes on when they are"
                + " free again.");
    assertThat(
            answer(
                Verdict.RUNNING,
                Gate.PRIORITY,
                new Evidence.Preempted(0, Preemption.Mode.SUSPEND, NOW, NOW)))
        .contains("take turns");
  }

  @Test
  void aJobThatWantsNodesForItselfIsNotSaidToWaitForCpus() {
    Evidence.Fall shared =
        new Evidence.Fall(Evidence.Cause.NOT_WHOLE, "", HostList.of("n1", "n2"), null);
    assertThat(
            answer(
                Verdict.SOON, Gate.NODES_FREE_CPUS, new Evidence.Nodes(2, 0, 1, List.of(shared))))
        .isEqualTo(
            "Job 4711 qwen-finetune waits for 1 node that no other job uses; now there is none.");
  }

  @Test
  void licencesAreToldWithWhatThereIsInUseAndAsked() {
    Evidence used = new Evidence.Limit("license", "sim", "Licenses", "license/sim", 4, 3, 2);
    Evidence never = new Evidence.Limit("license", "sim", "Licenses", "license/sim", 4, 0, 9);
    assertThat(answer(Verdict.SOON, Gate.LICENSES, used))
        .isEqualTo(
            "Job 4711 qwen-finetune waits for licences: it asks 2 × sim, and of 4 × sim others have"
                + " 3 × sim.");
    assertThat(answer(Verdict.NEVER, Gate.LICENSES, never))
        .isEqualTo("Job 4711 qwen-finetune asks 9 × sim of licences, and there are 4 × sim.");
  }

  @Test
  void aPartOfAHeterogeneousJobIsCalledByItsPlace() {
    Evidence other = new Evidence.DependsOn("hetjob 29-31", List.of(31), List.of("PENDING"), false);
    assertThat(answer(Verdict.SOON, Gate.COMPONENTS, other)).contains(" 29+2 (PENDING) ");
    assertThat(english.finding(failed(Gate.COMPONENTS, other), NOW))
        .isEqualTo("They start together, and 29+2 (PENDING) cannot start yet.");
  }

  @Test
  void aDeadlineIsToldWhereNothingStartsBeforeIt() {
    Finding deadline =
        new Finding(Gate.DEADLINE, Outcome.PASS, false, new Evidence.Until(NOW.plusSeconds(3600)));
    Forecast none = new Forecast(null, null, HostList.EMPTY, NOW.plusSeconds(86_400), NOW);
    assertThat(english.finding(deadline, NOW)).isEqualTo("It has to end by 13:00.");
    Evidence busy = new Evidence.Nodes(3, 1, 2, List.of());
    assertThat(
            english.detail(
                explanation(
                    Verdict.NOT_NOW,
                    Gate.NODES_FREE_GRES,
                    List.of(deadline, failed(Gate.NODES_FREE_GRES, busy)),
                    none)))
        .isEqualTo("No start is in sight with which it ends before its deadline (13:00).");
  }

  @Test
  void aRemedyThatSendsOthersAwayNamesThemAndWhatTheyLose() {
    Remedy remedy =
        new Remedy(
            Remedy.Lever.OTHER_QOS,
            "low",
            "high",
            NOW,
            HostList.of("n1"),
            null,
            List.of(),
            "scontrol update job=9 qos=high",
            true,
            List.of(
                new Remedy.Loss(7, "eve", Preemption.Mode.REQUEUE, 7200, 60),
                new Remedy.Loss(Evidence.HIDDEN, "", Preemption.Mode.CANCEL, 0, 0),
                new Remedy.Loss(8, "max", Preemption.Mode.SUSPEND, 60, 0)));
    assertThat(english.cost(remedy))
        .isEqualTo(
            "sends away 3 jobs: 7 of eve starts again from its beginning and loses 2 h of work,"
                + " with 1 min to save it; a job that you may not see is ended; 8 of max stops for"
                + " that long and loses nothing. Otherwise delays nobody");
    assertThat(spanish.cost(remedy))
        .startsWith("desaloja 3 trabajos: 7 de eve empieza de nuevo desde el principio")
        .endsWith("Por lo demás, no retrasa a nadie");
  }

  @Test
  void aStartLongAfterTheEndOfWhoIsInTheWayIsNotSaidToComeWithIt() {
    Explanation e =
        explanation(
            Verdict.SOON,
            Gate.NODES_FREE_GRES,
            new Finding(
                Gate.NODES_FREE_GRES, Outcome.FAIL, true, new Evidence.Nodes(3, 1, 2, List.of())),
            new Forecast(
                NOW.plusSeconds(8 * 3600),
                null,
                HostList.of("n1", "n3"),
                NOW.plusSeconds(86_400),
                NOW));
    assertThat(english.detail(e)).isEqualTo("Expected start 20:00 on n[1,3].");
  }

  @Test
  void aJobThatWaitsForGpusSaysHowManyNodesItNeedsAndHowManyThereAre() {
    Evidence.Fall busy =
        new Evidence.Fall(
            Evidence.Cause.GRES_BUSY,
            "gpu:h100:8",
            HostList.of("n1", "n2"),
            NOW.plusSeconds(3 * 3600));
    Explanation e =
        explanation(
            Verdict.SOON,
            Gate.NODES_FREE_GRES,
            new Finding(
                Gate.NODES_FREE_GRES,
                Outcome.FAIL,
                true,
                new Evidence.Nodes(3, 1, 2, List.of(busy))),
            new Forecast(
                NOW.plusSeconds(11_400),
                null,
                HostList.of("n1", "n3"),
                NOW.plusSeconds(86_400),
                NOW));
    assertThat(english.answer(e))
        .isEqualTo(
            "Job 4711 qwen-finetune waits for 2 nodes with 8 × gpu:h100 free; now there is 1.");
    assertThat(english.detail(e))
        .isEqualTo("Expected start 15:10 on n[1,3]. It starts when 4688 reaches its limit.");
    assertThat(english.fall(busy, NOW))
        .isEqualTo("2 nodes with fewer than 8 × gpu:h100 free, until 15:00");
    assertThat(spanish.answer(e))
        .isEqualTo(
            "El trabajo 4711 qwen-finetune espera 2 nodos con 8 × gpu:h100 libres; ahora hay 1.");
    assertThat(english.ticket(e))
        .contains("As of 2026-11-30 12:00 UTC")
        .contains("[blocks] Enough GPUs free: 1 of 3 remain; it needs 2. 2 nodes with fewer")
        .contains("4688 llm-pretrain: holds 16 GPUs until 15:00")
        .contains(
            "Shorten the time limit from 12:00:00 to 3:00:00: starts now on n[1,3], delays nobody"
                + " (owner: scontrol");
  }

  @Test
  void nodesThatDoNotLieTogetherAreSaidByTheRuleThatWasAsked() {
    List<String> answers = new ArrayList<>();
    for (String rule : List.of("count", "contiguous", "segment", "switches", "other")) {
      Explanation e =
          explanation(
              Verdict.NEVER,
              Gate.TOPOLOGY,
              new Finding(Gate.TOPOLOGY, Outcome.FAIL, false, new Evidence.NotTogether(rule, 1, 2)),
              null);
      answers.add(english.answer(e));
      assertThat(english.ticket(e)).contains("[blocks] Enough nodes together: ");
      assertThat(spanish.answer(e)).doesNotContain(rule + ".");
    }
    assertThat(answers).doesNotHaveDuplicates();
    assertThat(answers.getFirst())
        .isEqualTo(
            "Job 4711 qwen-finetune asks for more CPUs or GPUs than the nodes that can serve it"
                + " have together: 2 nodes.");
  }

  @Test
  void whatIsTooLittleNowIsNotSaidToBeTooLittleForEver() {
    Finding finding =
        new Finding(Gate.TOPOLOGY, Outcome.FAIL, true, new Evidence.NotTogether("count", 1, 1));
    assertThat(english.answer(explanation(Verdict.SOON, Gate.TOPOLOGY, finding, null)))
        .endsWith("than the nodes that it may use now have free together: 1 node.");
  }

  @Test
  void whatHasNoNameOrNoAmountIsNotSaidAsNothing() {
    Evidence.Fall fall =
        new Evidence.Fall(Evidence.Cause.PLANNED_FOR_OTHER, "", HostList.of("n1"), null);
    assertThat(english.fall(fall, NOW)).isEqualTo("1 node planned for jobs ahead of it");
    Blocker planned =
        new Blocker(
            Blocker.Kind.JOB_PLANNED,
            "31",
            "wrap",
            "alice",
            "",
            HostList.of("n1"),
            0,
            "cpu",
            NOW.plusSeconds(3600));
    assertThat(english.blocker(planned, NOW)).isEqualTo("has 1 node planned until 13:00");
  }

  @Test
  void manyRulesThatWereNotReachedAreCounted() {
    List<Finding> findings = new ArrayList<>();
    for (Gate gate : Gate.values()) {
      findings.add(new Finding(gate, Outcome.NOT_REACHED, false, new Evidence.None()));
    }
    Explanation e = explanation(Verdict.NOT_NOW, Gate.HOLD, findings, null);
    assertThat(english.ticket(e))
        .contains("[not reached] " + Gate.values().length + " more rules, which come after it\n")
        .doesNotContain("Enough CPUs free");
    Explanation few = explanation(Verdict.NOT_NOW, Gate.HOLD, findings.subList(0, 2), null);
    assertThat(english.ticket(few)).contains("[not reached] Not held\n");
  }

  @Test
  void theTicketNamesNoAccountWhereThereIsNone() {
    Explanation e =
        explanation(
            Verdict.SOON,
            Gate.PRIORITY,
            new Finding(Gate.PRIORITY, Outcome.NOT_REACHED, false, new Evidence.None()),
            null);
    assertThat(english.ticket(e))
        .contains("\nJob 4711 qwen-finetune of bob, account nlp, partition train\n");
    assertThat(english.ticket(withoutAccount(e)))
        .contains("\nJob 4711 qwen-finetune of bob, partition train\n");
  }

  private static Explanation withoutAccount(Explanation e) {
    return new Explanation(
        e.jobId(),
        e.displayId(),
        e.jobName(),
        e.user(),
        "",
        e.partition(),
        e.request(),
        e.timeLimitMinutes(),
        e.at(),
        e.moment(),
        e.verdict(),
        e.slurmReason(),
        e.slurmReasonText(),
        e.findings(),
        e.binding(),
        e.blockers(),
        e.priority(),
        e.forecast(),
        e.run(),
        e.remedies());
  }

  @Test
  void aLimitInMinutesIsShownAsADuration() {
    Explanation e =
        explanation(
            Verdict.NEVER,
            Gate.PARTITION_TIME,
            new Finding(
                Gate.PARTITION_TIME,
                Outcome.FAIL,
                false,
                new Evidence.Limit("partition", "interactive", "MaxTime", "minutes", 240, 0, 720)),
            null);
    assertThat(english.answer(e))
        .isEqualTo("Job 4711 qwen-finetune asks for 12 h; partition interactive allows 4 h.");
    assertThat(english.finding(e.findings().getFirst(), NOW))
        .isEqualTo("Partition interactive: MaxTime allows 4 h, 12 h asked.");
  }

  @Test
  void durationsAndInstantsReadAsOnTheClock() {
    assertThat(english.duration(11_400)).isEqualTo("3 h 10");
    assertThat(english.duration(59)).isEqualTo("59 s");
    assertThat(english.duration(2_700)).isEqualTo("45 min");
    assertThat(english.duration(-1)).isEqualTo("no limit");
    assertThat(english.duration(2 * 86_400 + 4 * 3600)).isEqualTo("2 d 4 h");
    assertThat(english.instant(NOW.plusSeconds(86_400 - 8 * 3600 - 2_400), NOW))
        .isEqualTo("Tue 03:20");
    assertThat(english.instant(NOW, NOW)).isEqualTo("12:00");
    assertThat(english.instant(NOW.plusSeconds(59), NOW)).isEqualTo("12:00:59");
    assertThat(english.instant(NOW.plusSeconds(60), NOW)).isEqualTo("12:01");
  }

  private static void require(ResourceBundle bundle, List<String> missing, String key) {
    if (bundle.keySet().stream().noneMatch(k -> k.equals(key) || k.startsWith(key + "."))) {
      missing.add(key);
    }
  }

  private static Explanation explanation(
      Verdict verdict, Gate gate, Finding finding, @Nullable Forecast forecast) {
    return explanation(verdict, gate, List.of(finding), forecast);
  }

  private static Explanation explanation(
      Verdict verdict, Gate gate, List<Finding> findings, @Nullable Forecast forecast) {
    JobRequest request =
        JobRequest.oneTask()
            .withGres(List.of(new GresRequest("gpu", "h100", 8, GresRequest.Scope.NODE)))
            .withMinNodes(2);
    Blocker blocker =
        new Blocker(
            Blocker.Kind.JOB_RUNNING,
            "4688",
            "llm-pretrain",
            "alice",
            "nlp",
            HostList.of("n1"),
            16,
            "gres/gpu",
            NOW.plusSeconds(3 * 3600));
    Remedy remedy =
        new Remedy(
            Remedy.Lever.SHORTER_TIME_LIMIT,
            "12:00:00",
            "3:00:00",
            NOW,
            HostList.of("n1", "n3"),
            11_400L,
            List.of(),
            "scontrol update job=4711 timelimit=3:00:00",
            true);
    return new Explanation(
        4711,
        "4711",
        "qwen-finetune",
        "bob",
        "nlp",
        "train",
        request,
        720,
        NOW,
        0,
        verdict,
        Reason.RESOURCES,
        "",
        findings,
        gate,
        List.of(blocker),
        new PriorityStanding(10, PriorityFactors.ZERO, 1, 3),
        forecast,
        null,
        List.of(remedy));
  }
}
