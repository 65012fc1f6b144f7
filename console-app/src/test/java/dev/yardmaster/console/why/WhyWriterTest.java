package dev.yardmaster.console.why;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fixture.SampleExplanations;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.why.WhyPage.Mark;
import dev.yardmaster.model.Job;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WhyWriterTest {
  private final Snapshot snapshot = Snapshot.of(SampleCluster.view(), SampleCluster.NOW);

  private static Job job(int id) {
    return SampleJobs.all().stream().filter(j -> j.id() == id).findFirst().orElseThrow();
  }

  private WhyPage page(int id) {
    return page(id, "en");
  }

  private WhyPage page(int id, String language) {
    return new WhyWriter(TestCluster.words(language), TestCluster.terms(language))
        .page(SampleExplanations.of(job(id)), snapshot);
  }

  @Test
  void theFirstLineIsTheAnswerAndSlurmsReasonStandsBesideIt() {
    WhyPage page = page(4711);

    assertThat(page.answer()).startsWith("Job 4711 qwen-finetune waits for 2 nodes");
    assertThat(page.slurmReason()).isEqualTo("Resources");
    assertThat(page.verdict()).isEqualTo(new WhyPage.Badge("Start planned", Tone.PLANNED));
    assertThat(page.ticket()).contains("4711").contains("scontrol update JobId=4711");
  }

  @Test
  void theFunnelShowsTheFirstStepAndThoseAtWhichNodesFell() {
    WhyPage.Funnel funnel = page(4711).funnel();

    assertThat(funnel.title()).isEqualTo("Where the 48 nodes go");
    assertThat(funnel.remark()).isEqualTo("needs 2");
    assertThat(funnel.steps())
        .extracting(WhyPage.Step::label, WhyPage.Step::count, WhyPage.Step::tone)
        .containsExactly(
            tuple("In the partition", "48", Tone.ACCENT),
            tuple("Up and not drained", "44", Tone.ACCENT),
            tuple("Not held by a reservation", "40", Tone.ATTENTION),
            tuple("Enough GPUs free", "0", Tone.BLOCKED));
    WhyPage.Step up = funnel.steps().get(1);
    assertThat(up.falls()).hasSize(3);
    assertThat(up.falls().get(1).single()).containsExactly("node046", "node047");
    assertThat(funnel.steps().getLast().falls().getFirst().single()).isEmpty();
    assertThat(funnel.steps().getLast().falls().getFirst().nodes())
        .isEqualTo("node[001-032,037-044]");
  }

  @Test
  void everyGateIsListedInOrderWithItsOutcome() {
    List<WhyPage.GateLine> gates = page(4721).gates();

    assertThat(gates).filteredOn(gate -> gate.mark() == Mark.BLOCKS).hasSize(1);
    WhyPage.GateLine blocking =
        gates.stream().filter(g -> g.mark() == Mark.BLOCKS).findFirst().orElseThrow();
    assertThat(blocking.rule()).isEqualTo("Time limit allowed by the partition");
    assertThat(blocking.evidence()).contains("MaxTime").contains("2 d").contains("3 d");
    assertThat(gates).filteredOn(gate -> gate.mark() == Mark.NOT_REACHED).isNotEmpty();
  }

  @Test
  void aLimitTellsLevelUsedAskedAndAllowed() {
    assertThat(page(4722).limits())
        .contains(
            new WhyPage.Amount(
                "QOS normal: MaxTRESPerUser",
                "40 / 32 GPUs",
                40.0 / 32,
                Tone.BLOCKED,
                "32 in use by others, 8 asked for; 8 too many"));
  }

  @Test
  void whatIsInTheWayCanBeSelected() {
    List<WhyPage.Obstacle> obstacles = page(4711).obstacles();

    assertThat(obstacles.getFirst().target()).isEqualTo(Items.job(4688));
    assertThat(obstacles.getLast().target()).isEqualTo(Items.reservation("maint-fw-b03"));
    assertThat(obstacles.getFirst().detail()).contains("64 GPUs");
  }

  @Test
  void aChangeTellsWhatItBringsWhoMayDoItAndTheCommand() {
    assertThat(page(4711).changes().getFirst())
        .isEqualTo(
            new WhyPage.Change(
                "Shorten the time limit from 12:00:00 to 03:10:00",
                "starts now on node[043-044]",
                "−8\u00a0h\u00a004",
                "owner",
                "delays nobody",
                "scontrol update JobId=4711 TimeLimit=03:10:00"));
    assertThat(page(4720).changes().getFirst().gain()).isEqualTo("instead of never");
  }

  @Test
  void thePriorityIsMadeOfItsPartsInTheOrderOfTheManual() {
    WhyPage.Priority priority = page(4711).priority();

    assertThat(priority.title()).isEqualTo("Priority 7,850");
    assertThat(priority.place()).isEqualTo("place 1 of 14 in its partition");
    assertThat(priority.parts().getFirst())
        .isEqualTo(new WhyPage.Part("Fair-share", "4,082", 4_082, 0));
    assertThat(page(4720).priority().parts()).isEmpty();
  }

  @Test
  void aFactorHasTheSameColourInEachJobWhicheverFactorsItHas() {
    Map<String, Set<Integer>> colours = new TreeMap<>();
    for (Job job : SampleJobs.all()) {
      for (WhyPage.Part part : page(job.id()).priority().parts()) {
        colours.computeIfAbsent(part.name(), name -> new TreeSet<>()).add(part.colour());
      }
    }

    assertThat(colours).hasSizeGreaterThan(2);
    assertThat(colours.values()).allSatisfy(seen -> assertThat(seen).hasSize(1));
    assertThat(colours.values()).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(strings = {"en", "es"})
  void everyJobHasAPage(String language) {
    for (Job job : SampleJobs.all()) {
      WhyPage page = page(job.id(), language);
      assertThat(page.answer()).isNotBlank().doesNotContain("{");
      assertThat(page.ticket()).doesNotContain("{0").isNotBlank();
    }
  }
}
