package dev.yardmaster.controller;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Programs of the site: SuspendProgram and ResumeProgram, and those of triggers. */
public final class SiteProgram {
  private static final Logger LOG = LoggerFactory.getLogger(SiteProgram.class);

  private SiteProgram() {}

  /**
   * Starts a program and goes on; what it prints is dropped. One that cannot be started is told in
   * the log, as in Slurm: the controller gives up after ResumeTimeout.
   *
   * @param program its path and its arguments, with spaces between
   * @param nodes the last argument
   */
  public static void run(String program, String nodes) {
    List<String> words = new ArrayList<>(List.of(program.strip().split("\\s+")));
    Path file = Path.of(words.getFirst());
    if (!file.isAbsolute() || !Files.isExecutable(file)) {
      LOG.error("{}: {} is no program with a full path", nodes, program);
      return;
    }
    words.add(nodes);
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.directory(Path.of("/").toFile());
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      LOG.info("{}: {}", nodes, program);
      builder
          .start()
          .onExit()
          .thenAccept(
              ended -> {
                if (ended.exitValue() != 0) {
                  LOG.error("{}: {} ended with {}", nodes, program, ended.exitValue());
                }
              });
    } catch (IOException e) {
      LOG.error("{}: {} cannot be started: {}", nodes, program, e.toString());
    }
  }
}
