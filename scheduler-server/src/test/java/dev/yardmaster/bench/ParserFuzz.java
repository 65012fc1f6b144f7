package dev.yardmaster.bench;

import dev.yardmaster.cli.Cli;
import dev.yardmaster.cli.Io;
import dev.yardmaster.cli.Machine;
import dev.yardmaster.client.Credential;
import dev.yardmaster.config.ConfigReader;
import dev.yardmaster.model.text.ArraySpec;
import dev.yardmaster.model.text.Dependency;
import dev.yardmaster.model.text.Distribution;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.GresList;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.IntRanges;
import dev.yardmaster.model.text.JobId;
import dev.yardmaster.model.text.Memory;
import dev.yardmaster.model.text.NodeCount;
import dev.yardmaster.model.text.NodeStateText;
import dev.yardmaster.model.text.NotationException;
import dev.yardmaster.model.text.TimeLimits;
import dev.yardmaster.model.text.TresList;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What Jazzer calls with what it makes up ({@code yardmaster bench --fuzz MINUTES}): the first byte
 * chooses a parser, the rest is its text. A notation that is refused is what should happen; any
 * other exception, a parser that does not come back, and memory that grows are findings.
 */
public final class ParserFuzz {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final int LONGEST = 4_000;
  private static final Path FOLDER = folder();

  /** A cluster in which a companion file finds what it is about. */
  private static final String CONF =
      """
      ClusterName=fuzz
      SlurmctldHost=vm(127.0.0.1)
      GresTypes=gpu
      NodeName=n[1-8] CPUs=8 RealMemory=1000 Gres=gpu:2
      PartitionName=main Nodes=ALL Default=YES
      """;

  private static final List<Consumer<String>> TEXTS =
      List.of(
          text -> HostList.parse(text).size(),
          ArraySpec::parse,
          Dependency::parse,
          FeatureExpression::parse,
          GresList::parse,
          TimeLimits::parseSeconds,
          Memory::parse,
          text -> Instants.parse(text, NOW, ZoneOffset.UTC),
          IntRanges::parse,
          TresList::parse,
          Distribution::parse,
          NodeCount::parse,
          JobId::parse,
          NodeStateText::parse,
          text -> read("slurm.conf", text),
          text -> read("gres.conf", text),
          text -> read("topology.conf", text),
          text -> read("topology.yaml", text));

  private static final List<String> COMMANDS =
      List.of(
          "sbatch",
          "squeue",
          "sinfo",
          "scancel",
          "sacct",
          "scontrol",
          "sacctmgr",
          "sprio",
          "sshare",
          "sreport",
          "sdiag",
          "srun",
          "salloc");

  private ParserFuzz() {}

  /** How many parsers there are. */
  static int parsers() {
    return TEXTS.size() + COMMANDS.size();
  }

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length > 1 && data.length < LONGEST) {
      String text = new String(data, 1, data.length - 1, StandardCharsets.UTF_8);
      parse(Byte.toUnsignedInt(data[0]) % parsers(), text);
    }
  }

  /** Gives a text to a parser. */
  static void parse(int parser, String text) {
    if (parser >= TEXTS.size()) {
      Cli.run(COMMANDS.get(parser - TEXTS.size()), Arrays.asList(text.split("\0", -1)), io());
      return;
    }
    try {
      TEXTS.get(parser).accept(text);
    } catch (NotationException e) {
      // Refused, with a reason.
      return;
    }
  }

  private static Path folder() {
    try {
      Path memory = Path.of("/dev/shm");
      return Files.isWritable(memory)
          ? Files.createTempDirectory(memory, "fuzz")
          : Files.createTempDirectory("fuzz");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void read(String file, String text) {
    try {
      for (String other : List.of("gres.conf", "topology.conf", "topology.yaml")) {
        Files.deleteIfExists(FOLDER.resolve(other));
      }
      String plugin = file.equals("topology.conf") ? "TopologyPlugin=topology/tree\n" : "";
      Files.writeString(FOLDER.resolve("slurm.conf"), CONF + plugin);
      Files.write(FOLDER.resolve(file), text.getBytes(StandardCharsets.UTF_8));
      ConfigReader.read(FOLDER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nobody serves, no file is there, and nothing that is printed is kept. */
  private static Io io() {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    return new Io(
        InputStream.nullInputStream(),
        nowhere,
        nowhere,
        Map.of("SLURM_CONF", "/nonexistent/slurm.conf"),
        FOLDER,
        ZoneOffset.UTC,
        InstantSource.fixed(NOW),
        () -> false,
        new Nobody());
  }

  /** A machine without files, on which everybody is known by number. */
  private static final class Nobody implements Machine {
    @Override
    public Credential caller(Function<String, @Nullable String> environment, Path config) {
      return new Credential("fuzz", 4711, "fuzz", 4711, null);
    }

    @Override
    public @Nullable Credential find(String name) {
      return null;
    }

    @Override
    public boolean hasUser(String name) {
      return false;
    }

    @Override
    public byte[] read(Path file) throws IOException {
      throw new IOException("there is no " + file);
    }
  }
}
