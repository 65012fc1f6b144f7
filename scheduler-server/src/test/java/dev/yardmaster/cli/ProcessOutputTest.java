package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.JobSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessOutputTest extends CommandTestBase {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private static OutputStream failing(String why) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(why);
      }
    };
  }

  private int why(OutputStream out) throws IOException {
    lab.submit(JobSpec.job("one").held());
    serve();
    err.reset();
    return Cli.run(
        "why",
        List.of("1"),
        new Io(
            InputStream.nullInputStream(),
            new ProcessOutput(out),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of("SLURM_CONF", folder.resolve("slurm.conf").toString()),
            folder,
            ZoneOffset.UTC,
            InstantSource.fixed(lab.now()),
            () -> false));
  }

  @Test
  void anAnswerThatCouldNotBeWrittenIsNoSuccess() throws IOException {
    assertThat(why(failing("No space left on device"))).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("yardmaster why: the answer could not be written: No space left on device\n");
  }

  @Test
  void whoeverReadsNoFurtherHasSeenEnough() throws IOException {
    assertThat(why(failing("Broken pipe"))).isZero();
    assertThat(err.size()).isZero();
  }

  @Test
  void resourcesAreLicences() {
    assertThat(SbatchOptions.forController(Map.of("resources", "flat:2", "licenses", "a")))
        .containsEntry("licenses", "a,flat:2")
        .doesNotContainKey("resources");
    assertThat(SbatchOptions.forController(Map.of("resources", "flat")))
        .containsEntry("licenses", "flat");
  }
}
