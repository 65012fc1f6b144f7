package dev.yardmaster.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.ThrowingSupplier;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineSyntaxTest {
  @TempDir Path dir;

  private ConfigFolder lab(String... lines) {
    return ConfigFolder.lab(dir, lines);
  }

  @Test
  void backslashContinuesALineAndFindingsPointToTheRealLine() {
    ConfigFolder lab =
        lab("NodeName=n[1-2] CPUs=4 \\", "   RealMemory=1000 \\", "   Wieght=3", "NodeName=n3");
    assertThat(lab.nodeNames()).containsExactly("n1", "n2", "n3");
    assertThat(lab.node("n2").realMemoryMib()).isEqualTo(1000);
    assertThat(lab.errors())
        .containsExactly(
            "ERROR slurm.conf:5: Wieght=3: unknown key on a NodeName line, ignored; Slurm refuses"
                + " it; did you mean Weight?");
  }

  @Test
  void continuationJoinsWithinAWordAndIgnoresBlanksBehindTheBackslash() {
    ConfigFolder lab = lab("NodeName=a,\\  ", "b CPUs=2", "PartitionName=p Nodes=a,b \\", "");
    assertThat(lab.nodeNames()).containsExactly("a", "b");
    assertThat(lab.partition("p").nodes()).containsExactly("a", "b");
    assertThat(lab.findings()).isEmpty();
  }

  @Test
  void doubledBackslashDoesNotContinue() {
    ConfigFolder lab = lab("MailProg=/bin/a\\\\", "NodeName=n1");
    assertThat(lab.config().settings()).containsEntry("MailProg", "/bin/a\\");
    assertThat(lab.nodeNames()).containsExactly("n1");
  }

  @Test
  void commentMayFollowAValueAndEndsAContinuation() {
    ConfigFolder lab =
        lab("NodeName=n1 CPUs=2 # two \\", "#NodeName=n2", "  # indented", "NodeName=n3#tight");
    assertThat(lab.nodeNames()).containsExactly("n1", "n3");
    assertThat(lab.findings()).isEmpty();
  }

  @Test
  void hashIsKeptWhenEscapedAndBetweenQuotes() {
    ConfigFolder lab =
        lab("NodeName=n1 Reason=bug\\#12", "NodeName=n2 Reason=\"bug #13 open\" CPUs=2 # real");
    assertThat(lab.node("n1").reason()).isEqualTo("bug#12");
    assertThat(lab.node("n2").reason()).isEqualTo("bug #13 open");
    assertThat(lab.node("n2").cpus()).isEqualTo(2);
    assertThat(lab.findings())
        .containsExactly(
            "WARNING slurm.conf:4: Slurm takes the \"#\" between the quotes for the start of a"
                + " comment; write \\#");
  }

  @Test
  void keysAreCaseInsensitiveAndKeptInTheManualsSpelling() {
    ConfigFolder lab = lab("RETURNTOSERVICE=2", "nodename=N1 cpus=3", "partitionNAME=P nodes=all");
    assertThat(lab.config().settings()).containsEntry("ReturnToService", "2");
    assertThat(lab.nodeNames()).containsExactly("N1");
    assertThat(lab.partition("P").nodes()).containsExactly("N1");
  }

  @Test
  void blanksMaySurroundTheEqualsSignAndQuotesHoldBlanks() {
    ConfigFolder lab =
        lab(
            "MailProg = /bin/true",
            "InteractiveStepOptions=\"--interactive --pty\"",
            "KillWait= 9");
    assertThat(lab.config().settings())
        .containsEntry("MailProg", "/bin/true")
        .containsEntry("InteractiveStepOptions", "--interactive --pty")
        .containsEntry("KillWait", "9");
    assertThat(lab.errors()).isEmpty();
  }

  @Test
  void severalPairsOnOneLineAreReadAndSaidToBeWrong() {
    ConfigFolder lab = lab("KillWait=5 WaitTime=7");
    assertThat(lab.config().settings())
        .containsEntry("KillWait", "5")
        .containsEntry("WaitTime", "7");
    assertThat(lab.findings())
        .contains(
            "ERROR slurm.conf:3: WaitTime=7: Slurm reads one setting a line; write it on a line of"
                + " its own");
  }

  @Test
  void forgottenValueDoesNotSwallowTheNextPair() {
    ConfigFolder lab = lab("NodeName=n1 Gres= CPUs=4");
    assertThat(lab.node("n1").cpus()).isEqualTo(4);
    assertThat(lab.errors())
        .containsExactly(
            "FATAL slurm.conf:3: Gres: no value is given; write a value or drop the key");
    assertThat(lab.read().config()).isNull();
  }

  @Test
  void settingGivenTwiceTakesTheLastAndNamesTheFirst() {
    ConfigFolder lab = lab("KillWait=5", "", "killwait=6");
    assertThat(lab.config().settings()).containsEntry("KillWait", "6");
    assertThat(lab.findings())
        .contains(
            "WARNING slurm.conf:5: KillWait=6: given before as 5 at line 3; the last value is used;"
                + " remove one");
  }

  /** A node's line was cut in the middle of a key, and every command on the cluster stopped. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "NodeName=n1 CPUs=4 \"ThreadsPer\" | \"\"ThreadsPer\"\": | ThreadsPerCore=value?",
        "NodeName=n1 CPUs=4 ThreadsPer | \"ThreadsPer\": | ThreadsPerCore=value?",
        "NodeName=n1 CPUs=4 RealMem | \"RealMem\": | RealMemory=value?",
        "PartitionName=p Nodes=ALL MaxT | \"MaxT\": | MaxTime=value?",
        "PartitionName=p Nodes=ALL ??? | \"???\": | put values with blanks between quotes",
      })
  void cutKeyIsNamedWithFileLineAndToken(String line, String token, String help) {
    ConfigFolder lab = lab(line, "NodeName=m1");
    assertThat(lab.read().config()).isNull();
    assertThat(lab.errors())
        .singleElement()
        .asString()
        .startsWith("FATAL slurm.conf:3: " + token + " not a key=value pair; ")
        .endsWith(help);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "c[1-4] Sockets=2 CoresPerSocket=8 | NodeName=c[1-4]",
        "batch Nodes=ALL MaxTime=60 | PartitionName=batch",
      })
  void bareLineIsToldHowToBegin(String line, String start) {
    assertThat(lab("# a", line).errors())
        .containsExactly(
            "FATAL slurm.conf:4: \""
                + line
                + "\": the line does not say what it describes; write "
                + start
                + " at its start");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"<<<<<<< HEAD", "=======", ">>>>>>> topic", "||||||| base", "  <<<<<<< HEAD"})
  void conflictMarkerIsCalledByItsName(String marker) {
    assertThat(lab(marker).errors())
        .containsExactly(
            "FATAL slurm.conf:3: \""
                + marker.strip()
                + "\": a merge conflict is left in the file; resolve it and remove the line");
  }

  @ParameterizedTest
  @ValueSource(strings = {"This file is managed.", "KillWait", "=5", "Key:value", "NodeName"})
  void proseIsNamedWithItsLine(String prose) {
    assertThat(lab(prose).errors())
        .singleElement()
        .asString()
        .startsWith("FATAL slurm.conf:3: \"" + prose + "\": not a setting; write ");
  }

  @Test
  void lineThatSwallowedTheNextOneIsExplained() {
    assertThat(lab("NodeName=n1 CPUs=4 \\", "NodeName=n2 CPUs=4").errors())
        .contains(
            "FATAL slurm.conf:4: NodeName=n2: a second NodeName on the line of another NodeName;"
                + " remove the backslash at the end of the line before it");
  }

  @Test
  void keyOnTheWrongKindOfLineIsSentToTheRightOne() {
    ConfigFolder lab = lab("RealMemory=100", "NodeName=n1 SchedulerType=sched/builtin");
    assertThat(lab.errors())
        .containsExactly(
            "ERROR slurm.conf:3: RealMemory=100: unknown key in slurm.conf, ignored; Slurm refuses"
                + " it; write it on a NodeName line",
            "ERROR slurm.conf:4: SchedulerType=sched/builtin: unknown key on a NodeName line,"
                + " ignored; Slurm refuses it; write it on a line of its own");
    assertThat(lab.read().config()).isNotNull();
  }

  @Test
  void windowsLinesByteOrderMarkAndOtherCharsetsAreRead() {
    byte[] latin =
        "ClusterName=lab\r\nSlurmctldHost=ctl\r\nNodeName=n1 Reason=Gerät\r\n"
            .getBytes(StandardCharsets.ISO_8859_1);
    ConfigFolder lab = ConfigFolder.lab(dir).with("slurm.conf", latin);
    assertThat(lab.node("n1").reason()).isEqualTo("Gerät");
    assertThat(lab.findings())
        .containsExactly(
            "WARNING slurm.conf: is not UTF-8 and is read as ISO 8859-1; save it as UTF-8");
    ConfigFolder marked = ConfigFolder.of(dir, "\uFEFF" + ConfigFolder.HEAD + "NodeName=n1\n");
    assertThat(marked.config().clusterName()).isEqualTo("lab");
    assertThat(marked.findings()).singleElement().asString().contains("byte order mark");
  }

  @Test
  void whatIsNoTextFileIsRefused() {
    assertThat(ConfigFolder.lab(dir).with("slurm.conf", new byte[] {1, 0, 2}).errors())
        .containsExactly("FATAL slurm.conf: holds binary data; name a text file");
    assertThat(ConfigReader.read(dir.resolve("nowhere")).findings())
        .singleElement()
        .satisfies(f -> assertThat(f.message()).isEqualTo("does not exist"));
    assertThat(ConfigReader.readSlurmConf(dir).findings())
        .singleElement()
        .satisfies(f -> assertThat(f.message()).isEqualTo("is a directory"));
  }

  @Test
  void emptyFileSaysWhatIsMissing() {
    assertThat(ConfigFolder.of(dir, "\n# nothing\n").errors())
        .containsExactly(
            "FATAL slurm.conf: ClusterName is missing; write ClusterName=name",
            "FATAL slurm.conf: SlurmctldHost is missing; write SlurmctldHost=host");
  }

  @Test
  void suggestionsAreSoughtOnlyForFindingsThatAreListed() {
    String lines =
        IntStream.range(0, 40_000)
            .mapToObj(i -> "SlurmctldUnknownParameter" + i + "=1\n")
            .collect(Collectors.joining());
    ConfigFolder lab = lab(lines);
    assertThat(timeout(() -> lab.read().findings())).hasSizeBetween(1000, 1001);
  }

  private static <T> T timeout(ThrowingSupplier<T> work) {
    return assertTimeoutPreemptively(Duration.ofSeconds(8), work);
  }

  @Test
  void fileOfProseDoesNotFloodTheReader() {
    ConfigFolder lab = ConfigFolder.of(dir, "word word\n".repeat(5000));
    assertThat(lab.read().findings()).hasSizeBetween(1000, 1001);
    assertThat(lab.findings().getLast()).contains("more findings are not listed");
    assertThat(lab.read().config()).isNull();
  }
}
