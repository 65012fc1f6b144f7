package dev.yardmaster.console.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.console.connect.CommandEnvironment;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.terminal.CommandWords.NotOneCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class SlurmTerminalTest {
  @TempDir Path bin;

  private final Snapshot snapshot = Snapshot.of(SampleCluster.view(), SampleCluster.NOW);

  private SlurmCommands commands(String name, String script) throws IOException {
    Path file = bin.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new SlurmCommands(
        SlurmCommands.programs(List.of(bin)), Map.of("SLURM_CONF", "/etc/of/this/cluster"));
  }

  private static SlurmTty terminal(SlurmCommands commands) {
    return new SlurmTty(commands, Texts.of(Locale.ENGLISH), line -> List.of());
  }

  /** Reads until the output has a text; the test's limit of time ends what never has it. */
  private static String until(SlurmTty tty, String wanted) throws IOException {
    StringBuilder output = new StringBuilder();
    char[] buffer = new char[256];
    while (output.indexOf(wanted) < 0) {
      output.append(buffer, 0, tty.read(buffer, 0, buffer.length));
    }
    return output.toString();
  }

  @Test
  void aCommandRunsWithItsWordsAndTheClusterAndItsEndIsTold() throws IOException {
    SlurmTty tty =
        terminal(commands("squeue", "echo \"$1|$2 at $SLURM_CONF, $COLUMNS wide\"; exit 3"));
    tty.write("squeue 'a b' c\\ d\r");

    assertThat(until(tty, "exit code 3")).contains("a b|c d at /etc/of/this/cluster, 80 wide\r\n");
    tty.write("help\r");
    assertThat(until(tty, "clear, help")).contains("squeue");
    tty.close();
    assertThat(tty.isConnected()).isFalse();
  }

  @Test
  void controlCEndsWhatRuns() throws IOException {
    SlurmTty tty = terminal(commands("srun", "echo runs; exec sleep 600"));
    tty.write("srun x\r");
    until(tty, "runs");
    tty.write("typed meanwhile\u0003");

    assertThat(until(tty, "exit code")).doesNotContain("typed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rm -rf /", "sh -c x", "/bin/sh", "sinfo"})
  void nothingButSlurmsCommandsIsStarted(String line) throws IOException {
    SlurmCommands only = commands("squeue", "true");
    commands("rm", "echo removed");
    SlurmTty tty = terminal(only);
    tty.write(line + "\r");

    assertThat(until(tty, "no command of this terminal")).doesNotContain("removed");
    assertThat(only.names()).containsExactly("squeue");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"squeue | wc", "squeue > x", "a; b", "a && b", "a $HOME", "a `b`", "a 'b", "\"a"})
  void whatNeedsAShellIsRefused(String line) {
    assertThatThrownBy(() -> CommandWords.split(line)).isInstanceOf(NotOneCommand.class);
  }

  @Test
  void quotedOperatorsAreText() throws NotOneCommand {
    assertThat(CommandWords.split(" sbatch --wrap 'a | b; $c' --comment=\"x>y\" ''"))
        .containsExactly("sbatch", "--wrap", "a | b; $c", "--comment=x>y", "");
  }

  @Test
  void optionsComeFromTheHelpOfTheCommand() throws IOException {
    SlurmCommands commands =
        commands("squeue", "echo '  -p, --partition=NAME  names\n  -l, --long\n ---- --Not'");
    Completions completions = new Completions(commands.names(), commands::options);

    assertThat(completions.of("squeue --", null)).containsExactly("--long", "--partition");
    assertThat(completions.of("sq", null)).containsExactly("squeue");
    assertThat(completions.of("he", null)).containsExactly("help");
    assertThat(completions.of("unknown --", null)).isEmpty();
  }

  @Test
  void jobsNodesAndNamesAreCompleted() {
    Completions completions = new Completions(List.of("scancel"), command -> List.of());

    assertThat(completions.of("scancel 471", snapshot)).contains("4711", "4713");
    assertThat(completions.of("scancel 4711,463", snapshot)).containsExactly("4630");
    assertThat(completions.of("sinfo -n node00", snapshot)).hasSize(9);
    assertThat(completions.of("squeue --partition=tr", snapshot)).containsExactly("train");
    assertThat(completions.of("squeue -A bi", snapshot)).contains("bio", "bigmem");
    assertThat(completions.of("sinfo -n n", snapshot).size()).isLessThanOrEqualTo(60);
  }

  @Test
  void jobsAndNodesOfTheOutputAreLinks() {
    String line = "   4711     train qwen-fin   user17 PD 0:00 2 node001, node999";

    assertThat(new TerminalLinks().of(line, snapshot))
        .extracting(TerminalLinks.Link::target)
        .containsExactly(Items.job(4711), Items.node("node001"));
    assertThat(line.substring(3, 7)).isEqualTo("4711");
    assertThat(new TerminalLinks().of(line, snapshot).getFirst())
        .isEqualTo(new TerminalLinks.Link(3, 7, Items.job(4711)));
    assertThat(new TerminalLinks().of(line, null)).isEmpty();
  }

  @Test
  void theCommandsAreLedToTheServerThatIsShown() throws IOException {
    String file = CommandEnvironment.of("ctl01:7301").get("SLURM_CONF");

    assertThat(file).isNotNull();
    assertThat(Files.readString(Path.of(String.valueOf(file))))
        .isEqualTo("SlurmctldHost=ctl01\nSlurmctldPort=7301\n");
    assertThat(CommandEnvironment.of("/etc/slurm/slurm.conf"))
        .containsEntry("SLURM_CONF", "/etc/slurm/slurm.conf");
  }
}
