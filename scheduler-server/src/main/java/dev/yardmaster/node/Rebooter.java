package dev.yardmaster.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs RebootProgram (slurm.conf(5)) for a node. */
final class Rebooter {
  private static final Logger LOG = LoggerFactory.getLogger(Rebooter.class);

  private Rebooter() {}

  /**
   * Starts the program and goes on; it finds the node's name in SLURM_NODE_NAME, and what it prints
   * is dropped. A program that cannot be started is only told in the log, as in Slurm: the
   * controller gives up after ResumeTimeout.
   *
   * @param program its path and its arguments, with spaces between
   */
  static void run(String node, String program) {
    List<String> words = List.of(program.strip().split("\\s+"));
    if (program.isBlank()) {
      LOG.error("{} is to be rebooted, and slurm.conf has no RebootProgram", node);
      return;
    }
    Path file = Path.of(words.getFirst());
    if (!file.isAbsolute() || !Files.isExecutable(file)) {
      LOG.error(
          "{} is to be rebooted: RebootProgram={} is no program with a full path", node, file);
      return;
    }
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.directory(Path.of("/").toFile());
    builder.environment().clear();
    builder.environment().put("SLURM_NODE_NAME", node);
    builder.environment().put("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      LOG.info("{} is rebooted with {}", node, program);
      builder
          .start()
          .onExit()
          .thenAccept(
              ended -> {
                if (ended.exitValue() != 0) {
                  LOG.error("{}: {} ended with {}", node, program, ended.exitValue());
                }
              });
    } catch (IOException e) {
      LOG.error("{} cannot be rebooted: {}", node, e.toString());
    }
  }
}
