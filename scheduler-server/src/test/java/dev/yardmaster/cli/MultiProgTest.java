package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MultiProgTest {
  @TempDir Path folder = Path.of("");

  private List<String> command(String text, int tasks) throws IOException, CommandFailure {
    Path file = folder.resolve("mp.conf");
    Files.writeString(file, text);
    return MultiProg.command(file.toString(), tasks, folder);
  }

  /** What a task writes, and its exit code. */
  private String run(List<String> command, int rank) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command)).redirectErrorStream(true);
    builder.environment().put("SLURM_PROCID", Integer.toString(rank));
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return out + process.waitFor();
  }

  @Test
  void eachTaskRunsTheProgramOfItsRank() throws Exception {
    List<String> command =
        command(
            """
            # who does what
            0 echo task %t of %o
            2-3,1 echo 'it''s' "a  b" $HOME %t-%o | > x
            4 echo one \\
            two
            """
                .replace("\\\\", "\\"),
            5);
    assertThat(run(command, 0)).isEqualTo("task 0 of 0\n0");
    assertThat(run(command, 2)).isEqualTo("its a  b $HOME 2-0 | > x\n0");
    assertThat(run(command, 3)).isEqualTo("its a  b $HOME 3-1 | > x\n0");
    assertThat(run(command, 1)).isEqualTo("its a  b $HOME 1-2 | > x\n0");
    assertThat(run(command, 4)).isEqualTo("one two\n0");
  }

  @Test
  void aStarStandsForAllTasks() throws Exception {
    assertThat(run(command("* echo t=%t o=%o", 3), 2)).isEqualTo("t=2 o=2\n0");
    assertThat(run(command("* echo t=%t", 0), 9)).isEqualTo("t=9\n0");
  }

  @Test
  void aProgramThatIsNotThereFailsAsOneThatSrunNames() throws Exception {
    assertThat(run(command("0 /no/such/program x", 1), 0))
        .isEqualTo("error: execve(): /no/such/program: No such file or directory\n2");
  }

  @Test
  void aFileThatDoesNotSayOnceForEachTaskWhatItRunsIsRefused() {
    String file = folder.resolve("mp.conf").toString();
    assertThatThrownBy(() -> command("0 echo hi", 3))
        .isInstanceOfSatisfying(
            CommandFailure.class,
            e ->
                assertThat(e.lines())
                    .containsExactly(
                        "srun: error: Configuration file "
                            + file
                            + " invalid, no record for task id 1"));
    assertThatThrownBy(() -> command("0 echo a\n0 echo b", 1))
        .isInstanceOfSatisfying(
            CommandFailure.class,
            e ->
                assertThat(e.lines())
                    .containsExactly(
                        "srun: error: Duplicate record for task 0",
                        "srun: error: Line 2 of configuration file " + file + " invalid"));
    for (String wrong : List.of("x echo", "0", "0-a echo", "-1 echo")) {
      assertThatThrownBy(() -> command(wrong, 1)).as(wrong).isInstanceOf(CommandFailure.class);
    }
    assertThatThrownBy(() -> MultiProg.command("nosuch.conf", 1, folder))
        .isInstanceOf(CommandFailure.class);
  }
}
