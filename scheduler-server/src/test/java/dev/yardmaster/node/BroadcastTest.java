package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** sbcast and srun --bcast before the daemons of two nodes, which share a file system here. */
class BroadcastTest extends StepsLab {
  private Path source() throws Exception {
    Path source = directory.resolve("source");
    byte[] bytes = new byte[300_000];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 31 >> 3);
    }
    Files.write(source, bytes);
    Files.setPosixFilePermissions(source, PosixFilePermissions.fromString("rwxr-x---"));
    Files.setLastModifiedTime(source, FileTime.from(Instant.ofEpochSecond(1_700_000_000)));
    return source;
  }

  private void allocate(String nodes) {
    assertThat(run("salloc", "-N" + nodes, "--no-shell").exitCode()).isZero();
    environment.put("SLURM_JOB_ID", "1");
  }

  @Test
  void aFileComesToTheNodesAsItIs() throws Exception {
    Path source = source();
    allocate("1");
    Path copy = directory.resolve("copy");
    Said said = run("sbcast", "-p", source.toString(), copy.toString());
    assertThat(said.err()).isEmpty();
    assertThat(said.exitCode()).isZero();
    assertThat(Files.readAllBytes(copy)).isEqualTo(Files.readAllBytes(source));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
        .isEqualTo("rwxr-x---");
    assertThat(Files.getLastModifiedTime(copy).toInstant())
        .isEqualTo(Instant.ofEpochSecond(1_700_000_000));
    said = run("sbcast", source.toString(), copy.toString());
    assertThat(said.err()).isEqualTo("sbcast: error: REQUEST_FILE_BCAST(n1): File exists\n");
    assertThat(said.exitCode()).isEqualTo(17);
    try (var left = Files.list(directory)) {
      assertThat(left.filter(f -> f.getFileName().toString().startsWith("copy."))).isEmpty();
    }
  }

  @Test
  void everyNodeThatFailsIsNamed() throws Exception {
    Path source = source();
    allocate("2");
    Path copy = directory.resolve("copy");
    assertThat(run("sbcast", "-f", source.toString(), copy.toString()).exitCode()).isZero();
    Said said = run("sbcast", "-f", source.toString(), directory + "/nosuch/copy");
    assertThat(said.err())
        .isEqualTo(
            "sbcast: error: REQUEST_FILE_BCAST(n1): No such file or directory\n"
                + "sbcast: error: REQUEST_FILE_BCAST(n2): No such file or directory\n");
    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(run("sbcast", "-f", "-w", "n2", "source", "relative").exitCode()).isZero();
    assertThat(directory.resolve("relative")).hasSameBinaryContentAs(source);
  }

  @Test
  void aProgramRunsFromItsCopy() throws Exception {
    Path program = directory.resolve("program");
    Files.writeString(program, "#!/bin/sh\necho $0 $1\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path copy = directory.resolve("copy");
    Said said = run("srun", "-N2", "--bcast=" + copy, program.toString(), "a");
    assertThat(said.err()).isEmpty();
    assertThat(said.out()).isEqualTo((copy + " a\n").repeat(2));
    said = run("srun", "--bcast", "./nosuch");
    assertThat(said.exitCode()).isEqualTo(1);
    assertThat(said.err()).contains("Failed to broadcast './nosuch'. Step launch aborted.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "a; 1; Need two file names, have 1 names",
        "-j 99 a b; 1; sbcast: error: Failed to load JobId=99: 'Invalid job id specified'",
        "-j abc a b; 1; 'sbcast: fatal: Bad job/step specified: abc: JobID can not be zero'",
        "a b; 1; sbcast: error: Need a job id to run this command.  Run from within a Slurm job or"
            + " use the --jobid option.",
        "-s 5x a; 1; 'size specification is invalid, ignored'",
        "--send-libs a b; 1; 'sbcast: --send-libs: not available yet in this version of Yardmaster'"
      })
  void whatIsWrongIsSaidInSlurmsWords(String line, int exitCode, String first) {
    Said said = run("sbcast", line.split(" "));
    assertThat(said.err().lines().findFirst()).contains(first);
    assertThat(said.exitCode()).isEqualTo(exitCode);
  }
}
