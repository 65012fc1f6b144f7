package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PrologSlurmctld and EpilogSlurmctld, with real programs. */
class ControllerProgramsTest {
  @TempDir Path directory;
  private @Nullable DaemonLab started;

  @AfterEach
  void stop() {
    lab().close();
  }

  private DaemonLab lab() {
    return Objects.requireNonNull(started);
  }

  private void start(String... settings) throws Exception {
    Map<String, String> all =
        new TreeMap<>(Map.of("KillWait", "1", "SchedulerParameters", "batch_sched_delay=0"));
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    started = new DaemonLab(TestCluster.config(1, all), directory);
  }

  private String program(String name, String text) throws Exception {
    Path file = directory.resolve(name);
    Files.writeString(file, "#!/bin/sh\ncd '" + directory + "'\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file.toString();
  }

  private static String until(String file) {
    return "while [ ! -e " + file + " ]; do sleep 0.05; done";
  }

  private String text(String file) throws Exception {
    return Files.readString(directory.resolve(file)).strip();
  }

  private void go(String file) throws Exception {
    Files.createFile(directory.resolve(file));
  }

  @Test
  void aRunBeginsAfterTheOneAndIsCompletingUntilTheOtherIsOver() throws Exception {
    String said = "$SLURM_SCRIPT_CONTEXT $SLURM_JOB_ID $SLURM_JOB_NODELIST $SLURM_JOB_EXIT_CODE2";
    start(
        "PrologSlurmctld",
        program("before", "echo " + said + " > before.said; " + until("go.before")),
        "EpilogSlurmctld",
        program("after", "echo " + said + " > after.said; " + until("go.after")));
    int id = lab().submit("touch ran; exit 3");
    Job waits = lab().await(id, j -> j.has(JobFlag.CONFIGURING));
    assertThat(waits.state()).isEqualTo(JobState.RUNNING);
    lab().awaitFile("before.said");
    assertThat(directory.resolve("ran")).doesNotExist();
    go("go.before");
    lab().awaitFile("after.said");
    assertThat(directory.resolve("ran")).exists();
    Job completing = Objects.requireNonNull(lab().controller().state().job(id));
    assertThat(completing.has(JobFlag.COMPLETING)).isTrue();
    go("go.after");
    assertThat(lab().awaitEnd(id).state()).isEqualTo(JobState.FAILED);
    assertThat(text("before.said")).isEqualTo("prolog_slurmctld " + id + " n1");
    assertThat(text("after.said")).isEqualTo("epilog_slurmctld " + id + " n1 3:0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit 1", "sleep 100"})
  void aRunWhoseProgramFailsOrHangsWaitsAgainAndIsNotHeld(String failure) throws Exception {
    start(
        "PrologEpilogTimeout",
        "2",
        "PrologSlurmctld",
        program("before", "[ -e once ] && exit 0; touch once; " + failure));
    int id = lab().submit("touch ran", "requeue");
    Job again = lab().await(id, j -> j.restarts() == 1);
    assertThat(again.hold()).isEqualTo(Hold.NONE);
    assertThat(directory.resolve("ran")).doesNotExist();
  }

  @Test
  void oneThatMayNotBeRequeuedIsCancelled() throws Exception {
    start("PrologSlurmctld", program("before", "exit 1"), "JobRequeue", "0");
    int id = lab().submit("touch ran");
    assertThat(lab().awaitEnd(id).state()).isEqualTo(JobState.CANCELLED);
    assertThat(directory.resolve("ran")).doesNotExist();
  }

  @Test
  void howEpilogSlurmctldEndsIsNoMatterOfTheJob() throws Exception {
    start("EpilogSlurmctld", directory.resolve("no-such-program").toString());
    int id = lab().submit("true");
    assertThat(lab().awaitEnd(id).state()).isEqualTo(JobState.COMPLETED);
  }

  @Test
  void aControllerThatStartsAgainBeginsTheProgramAgain() throws Exception {
    String before = program("before", "echo >> begun; " + until("go.before"));
    start("PrologSlurmctld", before);
    int id = lab().submit("touch ran");
    lab().awaitFile("begun");
    lab().stopAll();
    lab().startController();
    lab().startDaemons();
    for (int i = 0; i < 600 && Files.readAllLines(directory.resolve("begun")).size() < 2; i++) {
      Thread.sleep(50);
    }
    go("go.before");
    assertThat(lab().awaitEnd(id).state()).isEqualTo(JobState.COMPLETED);
    assertThat(Files.readAllLines(directory.resolve("begun"))).hasSize(2);
  }

  @Test
  void aJobThatIsCancelledMeanwhileDoesNotBegin() throws Exception {
    start("PrologSlurmctld", program("before", "touch begun; " + until("go.before")));
    int id = lab().submit("touch ran");
    lab().awaitFile("begun");
    lab().handle(new Command.CancelJobs(DaemonLab.ME, List.of("" + id), Immutable.sortedMap(), ""));
    assertThat(lab().awaitEnd(id).state()).isEqualTo(JobState.CANCELLED);
    go("go.before");
    assertThat(directory.resolve("ran")).doesNotExist();
  }
}
