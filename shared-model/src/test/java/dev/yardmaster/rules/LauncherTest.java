package dev.yardmaster.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher and the commands in bin/, on a fake JDK and a fake Maven. */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
  private static final List<String> COMMANDS =
      List.of(
          "sbatch",
          "srun",
          "salloc",
          "scancel",
          "squeue",
          "sinfo",
          "scontrol",
          "sacct",
          "sacctmgr",
          "sprio",
          "sshare",
          "sreport",
          "sdiag",
          "sstat",
          "strigger",
          "sattach",
          "sbcast",
          "scrontab");

  private final FakeCheckout checkout;
  private final Path elsewhere;

  LauncherTest(@TempDir Path folder) throws IOException {
    // A blank in the name of the checkout is part of every test.
    Path root = Files.createDirectory(folder.resolve("yard master"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    this.checkout = new FakeCheckout(root, folder.resolve("fakes"));
    this.elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
  }

  @BeforeEach
  void build() throws Exception {
    // One line on the build, one on the caches for quick starts.
    assertThat(checkout.run("./yardmaster", "build").output().lines()).hasSize(2);
    assertThat(checkout.builds()).isOne();
    // A fake JDK makes no caches; without this mark a start would try again behind our back.
    checkout.write("target/dist/aot/.trained", "");
  }

  @Test
  void everySlurmCommandPassesItsNameAndItsArgumentsUnchanged() throws Exception {
    for (String command : COMMANDS) {
      var outcome = checkout.run("bin/" + command, "--wrap", "echo \"a  b\" '$x' *", "", "-n1");
      assertThat(outcome.output())
          .endsWith("Main][%s][--wrap][echo \"a  b\" '$x' *][][-n1]\n".formatted(command));
    }
  }

  @Test
  void everyExecutableInBinIsOneOfSlurmsCommands() throws IOException {
    try (Stream<Path> files = Files.list(Checkout.root().resolve("bin"))) {
      assertThat(files.filter(Files::isExecutable))
          .extracting(file -> file.getFileName().toString())
          .containsExactlyInAnyOrderElementsOf(COMMANDS);
    }
  }

  @Test
  void aCommandIsFoundThroughSymbolicLinks() throws Exception {
    Path first = Files.createSymbolicLink(elsewhere.resolve("queue"), link("bin/squeue"));
    Path second = Files.createSymbolicLink(elsewhere.resolve("again"), first.getFileName());
    assertThat(checkout.run(second.toString(), "-a").output()).endsWith("Main][squeue][-a]\n");
  }

  private Path link(String name) {
    return checkout.root().resolve(name);
  }

  @Test
  void theDistributionWorksWhereverItIsCopiedTo() throws Exception {
    Path copy = elsewhere.resolve("copy");
    assertThat(checkout.run("cp", "-R", "target/dist", copy.toString()).status()).isZero();
    assertThat(checkout.run(copy + "/bin/sinfo", "-N").output())
        .contains("[" + copy + "/lib/yardmaster-server.jar]")
        .endsWith("Main][sinfo][-N]\n");
    assertThat(checkout.run(copy + "/yardmaster", "test").output())
        .isEqualTo(
            "yardmaster: test works in a checkout of the sources, and " + copy + " is none\n");
  }

  @Test
  void anUpToDateDistributionIsNotBuiltAgain() throws Exception {
    checkout.run("./yardmaster", "server", "--config", "etc");
    assertThat(checkout.builds()).isOne();
  }

  @Test
  void aSourceThatIsNewerThanTheBuildIsBuilt() throws Exception {
    ageTheBuild();
    assertThat(checkout.run("./yardmaster", "node", "n1").output())
        .startsWith("yardmaster: the sources are newer than the build, building (log: ")
        .endsWith("Main][node][n1]\n");
    assertThat(checkout.builds()).isEqualTo(2);
  }

  @Test
  void aTestThatIsNewerThanTheBuildIsNot() throws Exception {
    checkout.write("scheduler-server/src/test/java/MainTest.java", "");
    Files.setLastModifiedTime(
        checkout.root().resolve("scheduler-server/src/test/java/MainTest.java"),
        FileTime.from(Instant.now().plusSeconds(5)));
    checkout.run("./yardmaster", "server");
    assertThat(checkout.builds()).isOne();
  }

  @Test
  void startsAtTheSameTimeBuildOnce() throws Exception {
    ageTheBuild();
    List<Process> starts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      starts.add(checkout.start(Map.of(), List.of("./yardmaster", "node", "n" + i)));
    }
    for (int i = 0; i < 4; i++) {
      var outcome = FakeCheckout.finish(starts.get(i));
      assertThat(outcome.output()).endsWith("Main][node][n" + i + "]\n");
    }
    assertThat(checkout.builds()).isEqualTo(2);
  }

  @Test
  void aBuildThatFailsShowsWhyAndStartsNothing() throws Exception {
    ageTheBuild();
    checkout.write("broken", "");
    var outcome = checkout.run("./yardmaster", "server");
    assertThat(outcome.status()).isOne();
    assertThat(outcome.output())
        .contains("cannot find symbol\n", "yardmaster: the build failed, see ")
        .doesNotContain("Main");
  }

  @Test
  void everybodyMayReadTheDistributionWhateverTheMaskOfWhoBuiltIt() throws Exception {
    checkout.run("rm", "-rf", "target");
    assertThat(checkout.run("sh", "-c", "umask 077; ./yardmaster build").status()).isZero();
    try (Stream<Path> files = Files.walk(checkout.root().resolve("target/dist"))) {
      assertThat(files)
          .allSatisfy(
              file ->
                  assertThat(Files.getPosixFilePermissions(file))
                      .contains(PosixFilePermission.OTHERS_READ));
    }
  }

  @Test
  void whoMayNotWriteToTheCheckoutRunsWhatIsThereAndBuildsNothing() throws Exception {
    assumeThat(checkout.run("id", "-u").output()).as("becoming another user").isEqualTo("0\n");
    assumeThat(checkout.run("which", "setpriv").status()).as("setpriv").isZero();
    List<String> nobody = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
    ageTheBuild();
    assertThat(as(nobody, "bin/squeue").output()).endsWith("Main][squeue]\n");
    assertThat(as(nobody, "./yardmaster", "node", "n1").output()).endsWith("Main][node][n1]\n");
    assertThat(checkout.builds()).isOne();
    checkout.run("rm", "-r", "target");
    assertThat(as(nobody, "bin/squeue"))
        .isEqualTo(
            new FakeCheckout.Outcome(
                1,
                "squeue: not built yet; the owner of %s has to run ./yardmaster build once\n"
                    .formatted(checkout.root())));
  }

  private FakeCheckout.Outcome as(List<String> user, String... command) throws Exception {
    List<String> words = new ArrayList<>(user);
    words.addAll(List.of(command));
    return checkout.run(words.toArray(String[]::new));
  }

  @Test
  void anOldJavaHomeIsPassedOver() throws Exception {
    Path old = checkout.jdk("old", "17.0.15");
    var process =
        checkout.start(Map.of("JAVA_HOME", old.toString()), List.of("./yardmaster", "server"));
    assertThat(FakeCheckout.finish(process).output()).endsWith("Main][server]\n");
  }

  @Test
  void aStartWithoutADisplayPrintsTheAnswersAndWritesThePictures() throws Exception {
    var none = Map.of("DISPLAY", "", "WAYLAND_DISPLAY", "");
    assertThat(FakeCheckout.finish(checkout.start(none, List.of("./yardmaster"))).output())
        .endsWith("Main][up][--answers][--pictures][" + link("yardmaster") + "]\n");
  }

  @Test
  void aStartWithADisplayOpensTheConsole() throws Exception {
    var display = Map.of("DISPLAY", ":7");
    assertThat(FakeCheckout.finish(checkout.start(display, List.of("./yardmaster"))).output())
        .endsWith("server.Main][up][--console][" + link("yardmaster") + "]\n");
  }

  @Test
  void aTourGetsASampleClusterUnlessItIsToldWhereToConnect() throws Exception {
    assertThat(checkout.run("./yardmaster", "tour", "--out", "a b").output())
        .endsWith("server.Main][up][--tour][" + link("yardmaster") + "][--][--out][a b]\n");
    assertThat(checkout.run("./yardmaster", "tour", "--connect", "localhost:1").output())
        .endsWith("console.Main][tour][--connect][localhost:1]\n");
  }

  @Test
  void theConsoleIsOpenedOnAServer() throws Exception {
    assertThat(checkout.run("./yardmaster", "--theme", "light", "--connect=localhost:1").output())
        .endsWith("console.Main][--theme][light][--connect=localhost:1]\n");
    assertThat(checkout.run("./yardmaster", "--theme", "light").output())
        .startsWith("yardmaster: --theme needs --connect HOST:PORT beside it");
  }

  @Test
  void anUnknownCommandNamesTheNearest() throws Exception {
    var outcome = checkout.run("./yardmaster", "sevrer");
    assertThat(outcome.status()).isOne();
    assertThat(outcome.output())
        .isEqualTo(
            "yardmaster: unknown command 'sevrer'; the nearest is server; yardmaster --help lists"
                + " all\n");
    assertThat(checkout.run("./yardmaster", "xyzzyxyzzy").output())
        .isEqualTo("yardmaster: unknown command 'xyzzyxyzzy'; yardmaster --help lists all\n");
  }

  @Test
  void theHelpNamesEveryCommand() throws Exception {
    assertThat(checkout.run("./yardmaster", "--help").output())
        .contains("--connect", "tour", "server", "node", "why", "test", "bench");
  }

  private void ageTheBuild() throws IOException {
    Files.setLastModifiedTime(
        checkout.root().resolve("target/dist/.built"), FileTime.from(Instant.EPOCH));
  }
}
