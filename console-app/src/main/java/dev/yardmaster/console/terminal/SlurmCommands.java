package dev.yardmaster.console.terminal;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Slurm's commands as programs of this machine. Safe for use by several threads. */
final class SlurmCommands {
  /** Slurm's user commands; no other program is ever started. */
  static final List<String> NAMES =
      List.of(
          "sacct",
          "sacctmgr",
          "salloc",
          "sattach",
          "sbatch",
          "sbcast",
          "scancel",
          "scontrol",
          "scrontab",
          "sdiag",
          "sinfo",
          "sprio",
          "squeue",
          "sreport",
          "srun",
          "sshare",
          "sstat",
          "strigger");

  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z0-9-]*");

  private final SortedMap<String, Path> programs;
  private final Map<String, String> environment;
  private final Map<String, List<String>> options = new ConcurrentHashMap<>();

  /**
   * Commands in a folder.
   *
   * @param environment variables that lead to the cluster, beside those of this process
   */
  SlurmCommands(SortedMap<String, Path> programs, Map<String, String> environment) {
    this.programs = programs;
    this.environment = Map.copyOf(environment);
  }

  /** The commands beside the console or, for those that are not there, on the PATH. */
  static SlurmCommands find(Map<String, String> environment) {
    List<Path> folders = new ArrayList<>();
    CodeSource source = SlurmCommands.class.getProtectionDomain().getCodeSource();
    if (source != null) {
      try {
        Path lib = Path.of(source.getLocation().toURI()).toAbsolutePath().getParent();
        if (lib != null && lib.getParent() != null) {
          folders.add(lib.getParent().resolve("bin"));
        }
      } catch (URISyntaxException e) {
        // A console that is not a file has no folder beside it.
      }
    }
    String path = System.getenv("PATH");
    for (String folder : (path == null ? "" : path).split(File.pathSeparator)) {
      if (!folder.isEmpty()) {
        folders.add(Path.of(folder));
      }
    }
    return new SlurmCommands(programs(folders), environment);
  }

  static SortedMap<String, Path> programs(List<Path> folders) {
    SortedMap<String, Path> programs = new TreeMap<>();
    for (String name : NAMES) {
      folders.stream()
          .map(folder -> folder.resolve(name))
          .filter(Files::isExecutable)
          .findFirst()
          .ifPresent(program -> programs.put(name, program));
    }
    return programs;
  }

  /** The commands that there are. */
  List<String> names() {
    return List.copyOf(programs.keySet());
  }

  /**
   * Starts a command; its errors come with its output, and it has no input.
   *
   * @param columns width of the terminal in characters
   * @throws IOException if it cannot be started
   */
  Process start(List<String> words, int columns) throws IOException {
    Path program = programs.get(words.getFirst());
    if (program == null) {
      throw new IOException(words.getFirst() + " is not there");
    }
    List<String> line = new ArrayList<>(words);
    line.set(0, program.toString());
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    builder.environment().putAll(environment);
    builder.environment().put("COLUMNS", Integer.toString(columns));
    return builder.start();
  }

  /** The long options of a command, from its help; empty when it has none to tell. */
  List<String> options(String command) {
    return programs.containsKey(command)
        ? options.computeIfAbsent(command, this::askOptions)
        : List.of();
  }

  private List<String> askOptions(String command) {
    try {
      Process help = start(List.of(command, "--help"), 200);
      String text = new String(help.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return OPTION.matcher(text).results().map(MatchResult::group).distinct().sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
