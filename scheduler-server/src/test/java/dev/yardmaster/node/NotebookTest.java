package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample of a job that serves a notebook. */
class NotebookTest {
  private static final Path SAMPLE = Path.of("..", "sample", "jobs", "notebook.sh");

  @TempDir Path home;

  @Test
  void theTokenIsNeitherInTheLogNorInTheArgumentsOfTheProgram() throws Exception {
    Path jupyter = home.resolve("jupyter");
    Files.writeString(
        jupyter, "#!/bin/sh\necho \"args $*\"\necho \"$JUPYTER_TOKEN\" > $HOME/has\n");
    Files.setPosixFilePermissions(jupyter, PosixFilePermissions.fromString("rwx------"));
    ProcessBuilder builder = new ProcessBuilder("bash", SAMPLE.toString());
    builder.redirectErrorStream(true);
    builder
        .environment()
        .putAll(
            Map.of(
                "HOME", home.toString(),
                "USER", "alice",
                "PATH", home + ":/usr/bin:/bin",
                "SLURM_JOB_ID", "123",
                "SLURM_JOB_END_TIME", "1796000000",
                "SLURM_SUBMIT_HOST", "login"));
    Process process = builder.start();
    String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(log).isZero();
    String token = Files.readString(home.resolve("has")).strip();
    assertThat(token).hasSize(48);
    assertThat(log)
        .doesNotContain(token)
        .contains("-J login -L 20123:127.0.0.1:20123 alice@")
        .contains("args lab --no-browser --ip=127.0.0.1 --port=20123");
    Path card = home.resolve(".notebook-123");
    assertThat(Files.readString(card)).contains("127.0.0.1:20123/lab?token=" + token);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(card)))
        .isEqualTo("rw-------");
  }
}
