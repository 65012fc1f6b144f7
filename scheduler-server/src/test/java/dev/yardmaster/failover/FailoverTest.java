package dev.yardmaster.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.SqliteJournal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The controller that has control is killed, stopped and cut off while jobs are submitted and run.
 * What was acknowledged is there once, on all of them, and nothing started twice.
 */
class FailoverTest {
  /** The aim is 5 s on an idle machine; tests run beside others. */
  private static final long LONGEST_TAKEOVER_MILLIS = 20_000;

  @TempDir private Path directory;

  private static Machines machines(int count) throws InterruptedException {
    try {
      return Machines.make(count);
    } catch (IOException e) {
      assumeTrue(false, "no network namespaces can be made here, so this is not tested: " + e);
      throw new IllegalStateException(e);
    }
  }

  @Test
  void nothingIsLostOrDoubledWhenTheLeaderOfThreeIsKilledStoppedOrCutOff() throws Exception {
    List<String> figures = new ArrayList<>();
    try (Machines machines = machines(4);
        Cluster cluster = new Cluster(directory, machines, 3)) {
      cluster.firstAcknowledgedAfter(0);
      killed(cluster, figures);
      int stopped = cluster.leader();
      figures.add("stopped " + takeover(cluster, () -> cluster.signal(stopped, "STOP")));
      cluster.signal(stopped, "CONT");
      cluster.awaitStandby(stopped);
      int alone = cluster.leader();
      figures.add("cut off " + takeover(cluster, () -> machines.cutOff(alone)));
      cluster.awaitStandby(alone);
      machines.connect(alone);
      end(cluster);
      List<List<String>> journals = List.of(read(cluster, 1), read(cluster, 2), read(cluster, 3));
      int shortest = journals.stream().mapToInt(List::size).min().orElseThrow();
      for (List<String> journal : journals) {
        assertThat(journal.subList(0, shortest))
            .isEqualTo(journals.getFirst().subList(0, shortest));
      }
    }
    System.out.println("takeover of three controllers in ms: " + figures);
  }

  @Test
  void nothingIsLostOrDoubledWhenOneOfTwoThatShareADirectoryIsKilledOrStopped() throws Exception {
    List<String> figures = new ArrayList<>();
    try (Machines machines = machines(3);
        Cluster cluster = new Cluster(directory, machines, 2)) {
      cluster.firstAcknowledgedAfter(0);
      killed(cluster, figures);
      int stopped = cluster.leader();
      long struck = System.currentTimeMillis();
      cluster.signal(stopped, "STOP");
      // One that is stopped in the midst of a write keeps the lock of the file until it goes on.
      if (cluster.isAcknowledgedAfter(struck + 300, 15)) {
        figures.add("stopped " + (cluster.firstAcknowledgedAfter(struck + 300) - struck));
        cluster.signal(stopped, "CONT");
        cluster.awaitStandby(stopped);
      } else {
        cluster.signal(stopped, "CONT");
        cluster.firstAcknowledgedAfter(System.currentTimeMillis());
      }
      end(cluster);
    }
    System.out.println("takeover of two controllers in ms: " + figures);
  }

  private static void killed(Cluster cluster, List<String> figures)
      throws IOException, InterruptedException {
    int killed = cluster.leader();
    figures.add("killed " + takeover(cluster, () -> cluster.signal(killed, "KILL")));
    cluster.restart(killed);
  }

  private void end(Cluster cluster) throws IOException, InterruptedException {
    cluster.endSubmitting();
    List<String> toRun = toRun(cluster);
    cluster.await("jobs have run", () -> read(directory.resolve("ran")).containsAll(toRun));
    cluster.endControllers();
    check(cluster);
  }

  /** The acknowledged jobs that are not held. */
  private static List<String> toRun(Cluster cluster) {
    return cluster.lines("load").stream()
        .filter(line -> line.startsWith("ack "))
        .map(line -> line.split(" ")[1])
        .filter(name -> Integer.parseInt(name.substring(5)) % Submitter.ONE_RUNS_OF == 0)
        .toList();
  }

  private interface Fault {
    void strike() throws IOException, InterruptedException;
  }

  private static long takeover(Cluster cluster, Fault fault)
      throws IOException, InterruptedException {
    fault.strike();
    long struck = System.currentTimeMillis();
    // What was under way at that moment may still be answered.
    long taken = cluster.firstAcknowledgedAfter(struck + 300) - struck;
    assertThat(taken).isLessThan(LONGEST_TAKEOVER_MILLIS);
    return taken;
  }

  private static List<String> read(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> read(Cluster cluster, int machine) {
    List<String> events = new ArrayList<>();
    try (Journal journal = SqliteJournal.openReplica(cluster.state(machine))) {
      journal.read(1, entry -> events.add(entry.event().toString()));
    }
    return events;
  }

  private void check(Cluster cluster) {
    Map<String, Integer> jobs = new HashMap<>();
    Map<Integer, Integer> runs = new HashMap<>();
    Set<String> starts = new HashSet<>();
    try (Journal journal = SqliteJournal.openReplica(cluster.state(1))) {
      journal.read(1, entry -> note(entry.event(), jobs, runs, starts));
    }
    assertThat(cluster.lines("load")).noneMatch(line -> line.startsWith("failed"));
    List<String> acknowledged =
        cluster.lines("load").stream().filter(line -> line.startsWith("ack ")).toList();
    assertThat(acknowledged).hasSizeGreaterThan(20);
    for (String line : acknowledged) {
      String[] words = line.split(" ");
      assertThat(jobs).as(line).containsEntry(words[1], Integer.parseInt(words[2]));
    }
    assertThat(read(directory.resolve("ran"))).doesNotHaveDuplicates();
  }

  private static void note(
      Event event, Map<String, Integer> jobs, Map<Integer, Integer> runs, Set<String> starts) {
    switch (event) {
      case Event.JobSubmitted e -> {
        assertThat(jobs).as("submitted once").doesNotContainKey(e.job().name());
        jobs.put(e.job().name(), e.job().id());
        runs.put(e.job().id(), 0);
      }
      case Event.JobRequeued e -> runs.merge(e.jobId(), 1, Integer::sum);
      case Event.JobStarted e ->
          assertThat(starts.add(e.jobId() + "/" + runs.get(e.jobId()))).as("started once").isTrue();
      default -> {}
    }
  }
}
