package dev.yardmaster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ControllerFinderTest {
  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private List<Endpoint> endpoints(String text) throws Exception {
    return ControllerFinder.find(write("slurm.conf", text)).stream()
        .map(ControllerFinder.Controller::endpoint)
        .toList();
  }

  @Test
  void theHostsInTheirOrderWithOnePort() throws Exception {
    assertThat(endpoints("SlurmctldHost=one\nSlurmctldHost=two(192.0.2.2)\nSlurmctldPort=7000\n"))
        .containsExactly(new Endpoint("one", 7000), new Endpoint("192.0.2.2", 7000));
  }

  @Test
  void theNameIsThatOfTheFileAndTheAddressThatInBrackets() throws Exception {
    Path file = write("slurm.conf", "SlurmctldHost=head(192.0.2.1)\n");
    ControllerFinder.Controller found = ControllerFinder.find(file).getFirst();
    assertThat(found.name()).isEqualTo("head");
    assertThat(found.endpoint()).isEqualTo(new Endpoint("192.0.2.1", Endpoint.DEFAULT_PORT));
  }

  @ParameterizedTest
  @CsvSource({
    "'SLURMCTLDHOST = one', one, 6817",
    "'slurmctldhost=one # comment', one, 6817",
    "'SlurmctldHost=\"one\"', one, 6817",
    "'SlurmctldHost=one SlurmctldTimeout=3', one, 6817",
    "'SlurmctldHost=one|SlurmctldPort=7000-7003', one, 7000",
    "'SlurmctldPort=\\|7001|SlurmctldHost=one', one, 7001",
    "'ControlMachine=old', old, 6817",
    "'ControlMachine=old|ControlAddr=192.0.2.9', 192.0.2.9, 6817",
    "'Nonsense here|PartitionName|SlurmctldHost=one', one, 6817"
  })
  void linesAreReadAsSlurmDoesAndOthersDoNotMatter(String lines, String host, int port)
      throws Exception {
    assertThat(endpoints(lines.replace('|', '\n'))).containsExactly(new Endpoint(host, port));
  }

  @Test
  void whatIsNoFileOrFarTooLongIsNotRead() throws Exception {
    assertThatThrownBy(() -> ControllerFinder.find(Path.of("/dev/zero")))
        .isInstanceOf(ClientException.NotConfigured.class)
        .hasMessageContaining("is not a regular file");
    Path file = write("long.conf", "SlurmctldHost=one\n");
    try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
      channel.position(100_000_000);
      channel.write(ByteBuffer.wrap(new byte[] {10}));
    }
    assertThatThrownBy(() -> ControllerFinder.find(file))
        .isInstanceOf(ClientException.NotConfigured.class)
        .hasMessageContaining("more than 32 MiB");
  }

  @Test
  void includedFilesCountAndACircleEnds() throws Exception {
    write("more.conf", "include slurm.conf\nSlurmctldPort=7002\n");
    assertThat(endpoints("Include more.conf\nSlurmctldHost=one\n"))
        .containsExactly(new Endpoint("one", 7002));
  }

  @Test
  void aControllerOnThisMachineIsReachedOverLoopback() throws Exception {
    Path file = Path.of("/proc/sys/kernel/hostname");
    Assumptions.assumeTrue(Files.isReadable(file));
    String here = Files.readString(file).strip();
    assertThat(endpoints("SlurmctldHost=" + here + "\n"))
        .containsExactly(new Endpoint("127.0.0.1", Endpoint.DEFAULT_PORT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "65536", "x", "-1"})
  void aPortThatIsNoneIsNamedWithFileAndLine(String port) {
    assertThatThrownBy(() -> endpoints("SlurmctldHost=a\nSlurmctldPort=" + port + "\n"))
        .isInstanceOf(ClientException.NotConfigured.class)
        .hasMessageContaining("slurm.conf:2: SlurmctldPort=" + port + " is not a port");
  }

  @Test
  void aFileWithoutAControllerSaysWhatToAdd() {
    assertThatThrownBy(() -> endpoints("ClusterName=lab\n"))
        .isInstanceOf(ClientException.NotConfigured.class)
        .hasMessageContaining("SlurmctldHost is missing; add SlurmctldHost=HOST");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    Map<String, String> environment =
        Map.of("SLURM_CONF", directory.resolve("none.conf").toString());
    assertThatThrownBy(() -> ControllerFinder.find(environment::get))
        .isInstanceOf(ClientException.NotConfigured.class)
        .hasMessageContaining("none.conf does not exist; set SLURM_CONF");
  }

  @Test
  void theVariableCountsMoreThanTheSampleAndThatWhereNothingElseIs() throws Exception {
    Path sample = directory.resolve("yardmaster/sample");
    Files.createDirectories(sample);
    Path left = Files.writeString(sample.resolve("slurm.conf"), "SlurmctldHost=one\n");
    Map<String, String> here = Map.of("XDG_STATE_HOME", directory.toString());
    if (!Files.exists(ControllerFinder.DEFAULT_FILE)) {
      assertThat(ControllerFinder.configFile(here::get)).isEqualTo(left);
    }
    Map<String, String> named =
        Map.of("XDG_STATE_HOME", directory.toString(), "SLURM_CONF", "/some/slurm.conf");
    assertThat(ControllerFinder.configFile(named::get)).isEqualTo(Path.of("/some/slurm.conf"));
    Map<String, String> empty = Map.of("HOME", "/nowhere", "SLURM_CONF", "");
    assertThat(ControllerFinder.configFile(empty::get)).isEqualTo(ControllerFinder.DEFAULT_FILE);
  }
}
