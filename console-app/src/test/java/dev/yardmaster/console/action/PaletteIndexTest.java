package dev.yardmaster.console.action;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PaletteIndexTest {
  private static PaletteEntry entry(String title, String detail) {
    return new PaletteEntry(PaletteKind.JOB, title, detail, "", () -> {});
  }

  private static List<String> titles(PaletteIndex index, String query) {
    return index.search(query, 50).stream().map(match -> match.entry().title()).toList();
  }

  private static PaletteIndex index(String... titles) {
    List<PaletteEntry> entries = new ArrayList<>();
    for (String title : titles) {
      entries.add(entry(title, ""));
    }
    return new PaletteIndex(entries);
  }

  @Test
  void wholeTitleBeatsBeginningBeatsWordBeatsInsideBeatsScattered() {
    PaletteIndex index = index("q-x-u-e", "xqueue", "my queue", "queue view", "queue");

    assertThat(titles(index, "que"))
        .containsExactly("queue", "queue view", "my queue", "xqueue", "q-x-u-e");
    assertThat(titles(index, "queue").getFirst()).isEqualTo("queue");
  }

  @Test
  void aShorterTitleComesFirstAmongEqualFinds() {
    assertThat(titles(index("4711 long-name-of-a-job", "4711 job"), "4711"))
        .containsExactly("4711 job", "4711 long-name-of-a-job");
  }

  @Test
  void equalEntriesKeepTheirOrder() {
    PaletteIndex index =
        new PaletteIndex(List.of(entry("train", "first"), entry("train", "second")));

    assertThat(index.search("train", 5).stream().map(m -> m.entry().detail()))
        .containsExactly("first", "second");
  }

  @Test
  void everyWordMustBeFoundInTitleOrDetail() {
    PaletteIndex index =
        new PaletteIndex(
            List.of(entry("4711 qwen-finetune", "user17 nlp"), entry("4712 md-runs", "bio")));

    assertThat(titles(index, "qwen nlp")).containsExactly("4711 qwen-finetune");
    assertThat(titles(index, "qwen bio")).isEmpty();
  }

  @Test
  void upperAndLowerCaseAreTheSame() {
    assertThat(titles(index("Use the light theme"), "LIGHT"))
        .containsExactly("Use the light theme");
  }

  @Test
  void initialsFindACommand() {
    assertThat(titles(index("Split to the right", "Use the light theme"), "utl"))
        .containsExactly("Use the light theme");
  }

  @Test
  void anEmptyQueryListsTheFirstEntries() {
    assertThat(index("a", "b", "c").search("  ", 2))
        .extracting(m -> m.entry().title())
        .containsExactly("a", "b");
  }

  @Test
  void hitsNameTheCharactersFound() {
    assertThat(index("my queue").search("que", 1).getFirst().hits()).containsExactly(3, 4, 5);
    assertThat(index("use light").search("ul", 1).getFirst().hits()).containsExactly(0, 4);
  }

  @Property
  void whateverIsTypedTheLimitHoldsAndScoresFall(
      @ForAll @Size(max = 60) List<@AlphaChars String> titles, @ForAll String query) {
    List<PaletteMatch> found = index(titles.toArray(String[]::new)).search(query, 10);

    assertThat(found).hasSizeLessThanOrEqualTo(10);
    assertThat(found).isSortedAccordingTo((a, b) -> Integer.compare(b.score(), a.score()));
  }

  @Property
  void aTitleFindsItself(@ForAll @AlphaChars @NotEmpty String title) {
    assertThat(titles(index("zzz", title), title)).contains(title);
  }

  @Test
  void aHundredThousandEntriesAreSearchedInFiftyMilliseconds() {
    List<PaletteEntry> entries = new ArrayList<>();
    String[] names = {"qwen-finetune", "eval-sweep", "cryo-em", "llm-pretrain", "md-runs"};
    for (int i = 0; i < 100_000; i++) {
      entries.add(
          entry(
              (100_000 + i) + " " + names[i % names.length],
              "user" + i % 500 + " · " + "account" + i % 40));
    }
    PaletteIndex index = new PaletteIndex(entries);
    String[] queries = {"1", "147", "qwen", "user17 cryo", "lmpre", "nothing like it", "e"};
    for (int round = 0; round < 10; round++) {
      index.search(queries[round % queries.length], PaletteViewModel.LIMIT);
    }

    for (String query : queries) {
      assertThat(best(index, query)).as(query).isLessThan(Duration.ofMillis(50));
    }
  }

  /** The best of a few runs, because other work on the machine must not fail the test. */
  private static Duration best(PaletteIndex index, String query) {
    long best = Long.MAX_VALUE;
    for (int run = 0; run < 7; run++) {
      long start = System.nanoTime();
      index.search(query, PaletteViewModel.LIMIT);
      best = Math.min(best, System.nanoTime() - start);
    }
    return Duration.ofNanos(best);
  }
}
