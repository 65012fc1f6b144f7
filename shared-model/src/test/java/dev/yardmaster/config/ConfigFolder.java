package dev.yardmaster.config;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A folder of configuration files that a test writes and reads. */
final class ConfigFolder {
  /** What every slurm.conf needs. */
  static final String HEAD = "ClusterName=lab\nSlurmctldHost=ctl\n";

  private final Path dir;
  private @Nullable ConfigResult result;

  private ConfigFolder(Path dir) {
    this.dir = dir;
  }

  /** A folder with this slurm.conf. */
  static ConfigFolder of(Path dir, String slurmConf) {
    return new ConfigFolder(dir).with("slurm.conf", slurmConf);
  }

  /** A folder with a complete slurm.conf that ends in these lines. */
  static ConfigFolder lab(Path dir, String... lines) {
    return of(dir, HEAD + String.join("\n", lines) + "\n");
  }

  ConfigFolder with(String name, String text) {
    return with(name, text.getBytes(StandardCharsets.UTF_8));
  }

  ConfigFolder with(String name, byte[] bytes) {
    try {
      Path file = dir.resolve(name);
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      Files.write(file, bytes);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ConfigResult read() {
    if (result == null) {
      result = ConfigReader.read(dir);
    }
    return result;
  }

  /** The configuration; fails when there is none. */
  ClusterConfig config() {
    ClusterConfig config = read().config();
    if (config == null) {
      throw new AssertionError("refused: " + read().fatal());
    }
    return config;
  }

  ClusterConfig draft() {
    return Objects.requireNonNull(read().draft());
  }

  NodeSpec node(String name) {
    return draft().nodes().stream().filter(n -> n.name().equals(name)).findFirst().orElseThrow();
  }

  Partition partition(String name) {
    return draft().partition(name).orElseThrow();
  }

  List<String> nodeNames() {
    return draft().nodes().stream().map(NodeSpec::name).toList();
  }

  /** The findings as "SEVERITY file:line: text", with the folder's own path left out. */
  List<String> findings() {
    return shown(read().findings().stream());
  }

  /** The findings that weigh as much as an error or more. */
  List<String> errors() {
    return shown(read().findings().stream().filter(f -> f.severity().atLeast(Severity.ERROR)));
  }

  private List<String> shown(Stream<ConfigFinding> findings) {
    return findings.map(f -> f.severity() + " " + f.toString().replace(dir + "/", "")).toList();
  }
}
