package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.accounting.JobRecords;
import dev.yardmaster.accounting.MemoryRecords;
import dev.yardmaster.accounting.RecordKeeper;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.RecordQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Kills a server under load again and again, at any instant, also while it starts, and compares
 * what it had acknowledged with what it has kept. A state directory is used for some kills and then
 * left, so that the hundredth kill takes no longer than the first.
 */
public final class Crashes {
  /** Kills on one state directory. */
  private static final int KILLS_OF_ONE_LIFE = 8;

  /** One of so many kills meets a server that is still starting. */
  private static final int EARLY = 4;

  private static final int LONGEST_START = 1_500;
  private static final int LONGEST_LIFE = 2_500;

  private final Path root;
  private final Random random;
  private Path directory;
  private List<String> all = new ArrayList<>();
  private int highestId;
  private int acknowledged;
  private int early;
  private int records;

  /**
   * What came of it.
   *
   * @param early kills before the server was up
   * @param acknowledged changes that were acknowledged, each of which was there after each kill
   * @param records the most records of accounting that were compared after a kill
   */
  public record Figures(int kills, int early, int acknowledged, int records) {}

  private Crashes(Path root, long seed) {
    this.root = root;
    this.random = new Random(seed);
    this.directory = root;
  }

  /**
   * Does so.
   *
   * @param root an empty folder
   * @param progress hears of each state directory that is done with
   * @throws AssertionError when anything acknowledged is missing, or counted twice
   */
  public static Figures run(Path root, int kills, long seed, Consumer<String> progress)
      throws Exception {
    Crashes crashes = new Crashes(root, seed);
    for (int kill = 0; kill < kills; kill++) {
      if (kill % KILLS_OF_ONE_LIFE == 0) {
        if (kill > 0) {
          progress.accept(kill + " kills, " + crashes.acknowledged + " acknowledged");
        }
        crashes.begin(kill / KILLS_OF_ONE_LIFE);
      }
      crashes.round(kill % KILLS_OF_ONE_LIFE > 0 && crashes.random.nextInt(EARLY) == 0);
    }
    return new Figures(kills, crashes.early, crashes.acknowledged, crashes.records);
  }

  private void begin(int life) throws IOException {
    directory = Files.createDirectories(root.resolve("life" + life));
    all = new ArrayList<>();
    highestId = 0;
  }

  private void round(boolean whileStarting) throws IOException, InterruptedException {
    List<String> said =
        whileStarting
            ? killStarting(random.nextInt(LONGEST_START))
            : runAndKill(50 + random.nextInt(LONGEST_LIFE), all.isEmpty() ? 1 : 0);
    assertThat(said).noneMatch(line -> line.startsWith("failed"));
    all.addAll(said);
    acknowledged += said.size();
    try (Journal journal = SqliteJournal.open(directory)) {
      Optional<Journal.Recovered> recovered = journal.recover();
      if (recovered.isPresent()) {
        check(journal, recovered.get().state(), all);
        checkRecords(journal, recovered.get());
      } else {
        assertThat(all).isEmpty();
      }
    }
  }

  private List<String> killStarting(int millis) throws IOException, InterruptedException {
    early++;
    try (CrashingProcess server = CrashingProcess.launch(directory)) {
      return killAfter(server, millis, 0).stream().filter(line -> !line.equals("up")).toList();
    }
  }

  /** On a busy machine a short life may acknowledge nothing: the first of a directory waits. */
  private List<String> runAndKill(int millis, int acknowledgements)
      throws IOException, InterruptedException {
    try (CrashingProcess server = CrashingProcess.start(directory)) {
      return killAfter(server, millis, acknowledgements);
    }
  }

  private static List<String> killAfter(CrashingProcess server, int millis, int acknowledgements)
      throws InterruptedException {
    CountDownLatch awaited = new CountDownLatch(acknowledgements);
    Thread killer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    awaited.await();
                    TimeUnit.MILLISECONDS.sleep(millis);
                  } catch (InterruptedException e) {
                    return;
                  }
                  server.kill();
                });
    List<String> lines = new ArrayList<>();
    String line = server.line();
    while (line != null) {
      lines.add(line);
      awaited.countDown();
      line = server.line();
    }
    killer.interrupt();
    killer.join();
    return lines;
  }

  private void check(Journal journal, ClusterState state, List<String> said) {
    for (String line : said) {
      String[] words = line.split(" ");
      int id = Integer.parseInt(words[1]);
      Job job = state.job(id);
      assertThat(job).as(line).isNotNull();
      if (job == null) {
        return;
      }
      switch (words[0]) {
        case "submitted" -> assertThat(journal.script(id)).as(line).isPresent();
        case "held" ->
            // A hold that met a running job said nothing about its next run.
            assertThat(
                    job.hold() == Hold.ADMIN
                        || job.state() != JobState.PENDING
                        || job.restarts() > 0)
                .as(line + " " + job)
                .isTrue();
        case "cancelled" -> assertThat(job.state()).as(line).isEqualTo(JobState.CANCELLED);
        case "updated" -> assertThat(job.comment()).as(line).isEqualTo(words[2]);
        default -> throw new AssertionError(line);
      }
      highestId = Math.max(highestId, id);
    }
    assertThat(state.nextJobId()).isGreaterThan(highestId);
    checkAllocations(state);
  }

  /** Each event counts once, whenever the process that recorded it was killed. */
  private void checkRecords(Journal journal, Journal.Recovered recovered) {
    List<Event> events = new ArrayList<>();
    journal.read(1, entry -> events.add(entry.event()));
    Event.ConfigApplied first = (Event.ConfigApplied) events.getFirst();
    MemoryRecords expected = new MemoryRecords(ClusterState.initial(first.config(), first.at()));
    expected.follow(events.subList(1, events.size()));
    try (RecordKeeper keeper = RecordKeeper.open(journal, directory)) {
      keeper.start(recovered.state(), recovered.sequence());
      List<JobRecord> kept = all(keeper);
      assertThat(kept).isEqualTo(all(expected));
      records = Math.max(records, kept.size());
    }
  }

  private static List<JobRecord> all(JobRecords records) {
    List<JobRecord> all = new ArrayList<>();
    Instant end = Instant.now().plusSeconds(86_400);
    RecordQuery query =
        RecordQuery.window(null, end)
            .withDuplicates(true)
            .withStates(Arrays.stream(JobState.values()).map(JobState::name).toList());
    records.find(query, end, all::add);
    return all;
  }

  /** No core and no GPU belongs to two jobs. */
  private static void checkAllocations(ClusterState state) {
    Map<String, IndexSet> cores = new HashMap<>();
    Map<String, IndexSet> gpus = new HashMap<>();
    for (Job job : state.jobs().values()) {
      Allocation allocation = job.allocation();
      if (!job.holdsResources() || allocation == null) {
        continue;
      }
      for (NodeShare share : allocation.shares()) {
        take(cores, share.node(), share.cores(), job);
        for (GresShare gres : share.gres()) {
          take(gpus, share.node(), gres.devices(), job);
        }
      }
    }
  }

  private static void take(Map<String, IndexSet> taken, String node, IndexSet some, Job job) {
    IndexSet before = taken.getOrDefault(node, IndexSet.EMPTY);
    assertThat(before.intersects(some))
        .as("%s of %s twice, job %s", some, node, job.id())
        .isFalse();
    taken.put(node, before.or(some));
  }
}
