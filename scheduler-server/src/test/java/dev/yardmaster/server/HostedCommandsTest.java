package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.yardmaster.api.LocalFrames;
import dev.yardmaster.api.LocalFrames.Frame;
import dev.yardmaster.api.LocalFrames.Kind;
import dev.yardmaster.api.LocalSocket;
import dev.yardmaster.cli.Io;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that {@code bin/hosted.pl} hands to the controller, a real one of the sample. */
class HostedCommandsTest {
  private static final Path CALLER = Path.of("..", "bin", "hosted.pl").toAbsolutePath().normalize();
  private static final int SELF = LocalSocket.owner(Path.of("/proc/self"));
  private static final int ELSEWHERE = 254;

  @TempDir private Path directory;
  private RunningServer server;

  private record Said(int exitCode, String out, String err) {}

  @BeforeEach
  void start() throws Exception {
    assumeTrue(SELF >= 0 && Files.isExecutable(Path.of("/usr/bin/perl")), "needs /proc and perl");
    server = RunningServer.start(SampleFiles.setup(directory), InstantSource.system());
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private Said hosted(String input, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("/usr/bin/perl", CALLER.toString()));
    command.addAll(List.of(words));
    Path out = Files.createTempFile("hosted", ".out");
    Path err = Files.createTempFile("hosted", ".err");
    Path in = Files.writeString(Files.createTempFile("hosted", ".in"), input);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("SLURM_CONF", directory.resolve("slurm.conf").toString());
    builder.environment().put("TZ", "UTC");
    Process process = builder.start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).as(String.join(" ", words)).isTrue();
    return new Said(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  /** The same command as a process of its own would run it. */
  private Said alone(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Io io =
        new Io(
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of("SLURM_CONF", directory.resolve("slurm.conf").toString()),
            directory,
            ZoneId.of("UTC"),
            InstantSource.system(),
            () -> false);
    int exitCode = Main.run(List.of(words), io);
    return new Said(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "squeue -h -o %i|%j|%u|%r",
        "squeue -o %nonsense",
        "squeue --nosuch",
        "sinfo -N",
        "scontrol show job 1",
        "scontrol show job 99999",
        "scontrol show node",
        "scontrol show hostnames n[1-3]",
        "sprio -n",
        "sacctmgr -n -P show qos format=name",
        "sacctmgr -i delete account nosuch",
        "sacctmgr -Q --immediate modify qos nosuch set priority=1",
        "scancel 99999"
      })
  void saysAndEndsAsTheCommandByItselfDoes(String line) throws Exception {
    String[] words = line.split(" ");
    Said here = hosted("", words);
    assertThat(here.exitCode()).isNotEqualTo(ELSEWHERE);
    assertThat(here).isEqualTo(alone(words));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "squeue -i 5",
        "squeue -hi5",
        "squeue --iterate=5",
        "scancel --interactive 1",
        "sbatch --wait --wrap=true",
        "sbatch -W --wrap=true",
        "scontrol",
        "scontrol write batch_script 1",
        "scontrol shutdown",
        "sacctmgr add account new",
        "sacctmgr add account new -i",
        "sacctmgr -i dump lab",
        "sacct -f records",
        "srun true",
        "salloc",
        "nosuch"
      })
  void whatWaitsOrTouchesFilesIsLeftToTheCaller(String line) throws Exception {
    assertThat(hosted("", line.split(" "))).isEqualTo(new Said(ELSEWHERE, "", ""));
  }

  @Test
  void whatTheAccountsAreChangedToWithoutAQuestionIsThere() throws Exception {
    assertThat(hosted("", "sacctmgr", "-i", "add", "account", "new").exitCode()).isZero();
    assertThat(alone("sacctmgr", "-n", "-P", "show", "account", "new", "format=account").out())
        .isEqualTo("new\n");
  }

  @Test
  void scriptsAreReadByTheCallerFromItsFilesItsPathAndItsInput() throws Exception {
    Files.writeString(directory.resolve("j ö.sh"), "#!/bin/sh\n#SBATCH -J from-file\ntrue\n");
    assertThat(hosted("", "sbatch", "--parsable", "-H", "j ö.sh").out()).matches("\\d+\n");
    String input = "#!/bin/sh\n#SBATCH -J from-input\ntrue\n";
    assertThat(hosted(input, "sbatch", "--parsable", "-H").out()).matches("\\d+\n");
    assertThat(alone("squeue", "-h", "-o", "%j").out()).contains("from-file\n", "from-input\n");
    for (String none : List.of("nosuch.sh", directory.toString())) {
      assertThat(hosted("", "sbatch", none))
          .isEqualTo(new Said(1, "", "sbatch: error: Unable to open file " + none + "\n"));
    }
    Path huge = directory.resolve("long.sh");
    Files.write(huge, new byte[16 << 20]);
    assertThat(hosted("", "sbatch", huge.toString())).isEqualTo(new Said(ELSEWHERE, "", ""));
  }

  @Test
  void whoClaimsToBeSomebodyElseIsSentAway() throws Exception {
    String user = Files.getOwner(Path.of("/proc/self")).getName();
    assertThat(claimed(user, SELF)).isZero();
    assertThat(claimed("nobody", SELF)).isEqualTo(-1);
    assertThat(claimed(user, SELF + 1)).isEqualTo(-1);
  }

  private int claimed(String user, int uid) throws Exception {
    Object group = Files.getAttribute(Path.of("/proc/self"), "posix:group");
    Object gid = Files.getAttribute(Path.of("/proc/self"), "unix:gid");
    String words =
        String.join(
            "\0", "1", "/", "", user, "" + uid, "" + group, "" + gid, "2", "squeue", "-h", "");
    return run(words.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void nonsenseIsSentAwayAndTheNextIsServed() throws Exception {
    assertThat(run(new byte[0])).isEqualTo(-1);
    assertThat(run("1\0/\0\0u\0x\0g\0y\0z\0".getBytes(StandardCharsets.UTF_8))).isEqualTo(-1);
    assertThat(run("1\0/\0\0u\0001\0g\0001\00099\0squeue\0".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(-1);
    assertThat(run(new byte[] {'1', 0, '/', (byte) 0xff, (byte) 0xfe, 0})).isEqualTo(-1);
    assertThat(hosted("", "squeue", "-h").exitCode()).isZero();
  }

  /** The exit code with which the controller answers. */
  private int run(byte[] content) throws Exception {
    try (SocketChannel socket =
        Objects.requireNonNull(
            LocalSocket.connect("127.0.0.1", server.port(), Set.of(SELF)), "no local socket")) {
      LocalFrames frames = new LocalFrames(socket, 1 << 24);
      frames.send(LocalFrames.frame(Kind.RUN, content));
      Frame frame = frames.receive();
      while (frame != null && frame.kind() != Kind.CLOSE) {
        frame = frames.receive();
      }
      return frame == null ? Integer.MIN_VALUE : ByteBuffer.wrap(frame.content()).getInt();
    }
  }

  @Test
  void withoutAControllerTheCommandRunsByItself() throws Exception {
    server.close();
    assertThat(hosted("", "squeue")).isEqualTo(new Said(ELSEWHERE, "", ""));
  }
}
