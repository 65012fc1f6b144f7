package dev.yardmaster.controller;

import static dev.yardmaster.controller.DefaultControllerTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.JournalException;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.JobScript;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What disks and clocks do to a controller, with the real store. */
class JournalFaultsTest {
  @TempDir private Path directory;

  private static ControllerParts parts(Journal journal, InstantSource clock) {
    return new ControllerParts(
        journal,
        Engine::step,
        new EngineAdmission(),
        new NodeLinks(),
        TestCluster::config,
        clock,
        ZoneOffset.UTC,
        ControllerParts.Tuning.DEFAULT);
  }

  private static Command submit() {
    return new Command.Submit(TestCluster.ALICE, TestCluster.submission("hold"));
  }

  private static int run(String... line) throws IOException, InterruptedException {
    return new ProcessBuilder(line)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  @Test
  void onAFullDiskNothingIsAcknowledgedThatIsNotThereAndItGoesOnWhenThereIsRoom() throws Exception {
    Path disk = Files.createDirectory(directory.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk.toString()) == 0,
        "no small disk can be mounted here, so a full one is not tested");
    List<Integer> acknowledged = new ArrayList<>();
    try {
      Path filler = disk.resolve("filler");
      try (Controller controller =
          DefaultController.start(parts(SqliteJournal.open(disk), InstantSource.system()))) {
        Files.write(filler, new byte[1 << 20]);
        boolean full = false;
        for (int i = 0; i < 20_000 && !full; i++) {
          Reply reply = await(controller.handle(submit()));
          full = reply instanceof Reply.Refused;
          if (reply instanceof Reply.Submitted submitted) {
            acknowledged.add(submitted.jobId());
          }
        }
        assertThat(full).as("the disk is full").isTrue();
        Files.delete(filler);
        Reply reply = await(controller.handle(submit()));
        for (int i = 0; i < 5 && reply instanceof Reply.Refused; i++) {
          reply = await(controller.handle(submit()));
        }
        assertThat(reply).isInstanceOf(Reply.Submitted.class);
        acknowledged.add(((Reply.Submitted) reply).jobId());
      }
      try (Journal reopened = SqliteJournal.open(disk)) {
        assertThat(reopened.recover().orElseThrow().state().jobs().keySet())
            .containsExactlyElementsOf(acknowledged);
      }
    } finally {
      run("umount", disk.toString());
    }
  }

  /** The power goes while the log is written: any part of its end may be missing or wrong. */
  @Test
  void aTornEndOfTheLogLosesWholeBatchesFromTheEndOrIsNoticed() throws Exception {
    Path before = Files.createDirectory(directory.resolve("before"));
    try (SqliteJournal journal = SqliteJournal.open(before)) {
      journal.append(
          List.of(
              new Journal.Batch(
                  List.of(new Event.ConfigApplied(TestCluster.NOW, TestCluster.config())),
                  new TreeMap<>())));
      JobScript script = new JobScript("#!/bin/sh\n" + "x".repeat(500), List.of(), new TreeMap<>());
      for (int id = 1; id <= 12; id++) {
        Event used = new Event.JobIdUsed(TestCluster.NOW, id);
        journal.append(
            List.of(new Journal.Batch(List.of(used, used), new TreeMap<>(Map.of(id, script)))));
      }
      long size = Files.size(before.resolve("journal.db-wal"));
      for (int torn = 0; torn < 24; torn++) {
        Path after = Files.createDirectory(directory.resolve("after" + torn));
        for (String file : List.of("journal.db", "journal.db-wal")) {
          Files.copy(before.resolve(file), after.resolve(file));
        }
        tear(after.resolve("journal.db-wal"), size - 1 - torn * (size / 30), torn % 2 == 0);
        try (SqliteJournal left = SqliteJournal.open(after)) {
          long last = left.lastSequence();
          assertThat(last == 0 || last % 2 == 1).as("whole batches: " + last).isTrue();
          List<Long> read = new ArrayList<>();
          left.read(1, entry -> read.add(entry.sequence()));
          assertThat(read).hasSize((int) last);
          for (int id = 1; id <= (last - 1) / 2; id++) {
            assertThat(left.script(id)).contains(script);
          }
        }
      }
    }
  }

  private static void tear(Path file, long at, boolean cut) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      if (cut) {
        channel.truncate(at);
      } else {
        channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}), at - 8);
      }
    }
  }

  @Test
  void aSlowDiskMakesRoundsLargerAndAnswersLaterAndNoneEarly() throws Exception {
    AtomicInteger writes = new AtomicInteger();
    SqliteJournal real = SqliteJournal.open(directory);
    Journal slow =
        (Journal)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Journal.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("append")) {
                    writes.incrementAndGet();
                    LockSupport.parkNanos(100_000_000);
                  }
                  try {
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    try (Controller controller = DefaultController.start(parts(slow, InstantSource.system()))) {
      int before = writes.get();
      List<CompletionStage<Reply>> replies = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        replies.add(controller.handle(submit()));
      }
      for (CompletionStage<Reply> reply : replies) {
        int id = ((Reply.Submitted) await(reply)).jobId();
        assertThat(controller.state().job(id)).as("shown once it is durable").isNotNull();
      }
      assertThat(writes.get() - before).isLessThan(100);
    }
  }

  @Test
  void aClockThatIsSetBackOrdersNothingAnew() throws Exception {
    AtomicReference<Instant> now = new AtomicReference<>(TestCluster.NOW);
    SqliteJournal journal = SqliteJournal.open(directory);
    try (Controller controller = DefaultController.start(parts(journal, now::get))) {
      await(controller.handle(submit()));
      now.set(TestCluster.NOW.minusSeconds(7_200));
      Reply reply = await(controller.handle(submit()));
      assertThat(reply).isEqualTo(new Reply.Submitted(2, List.of()));
      assertThat(controller.state().time()).isEqualTo(TestCluster.NOW);
      List<Instant> times = new ArrayList<>();
      journal.read(1, entry -> times.add(entry.event().at()));
      assertThat(times).isSorted();
      assertThat(journal.sequenceAt(TestCluster.NOW)).isEqualTo(journal.lastSequence());
    }
    try (Controller again =
        DefaultController.start(parts(SqliteJournal.open(directory), now::get))) {
      assertThat(await(again.handle(submit()))).isEqualTo(new Reply.Submitted(3, List.of()));
    }
  }

  @Test
  void aJournalThatCannotBeOpenedIsNamed() throws Exception {
    Files.createDirectory(directory.resolve("journal.db"));
    assertThatThrownBy(() -> SqliteJournal.open(directory))
        .isInstanceOf(JournalException.class)
        .hasMessageContaining("journal.db");
  }
}
