package dev.yardmaster.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Lets Jazzer search for texts that break a parser, in a process of its own. What it finds lies in
 * the folder; it belongs into {@code src/test/resources/fuzz}, where the tests try it again.
 */
final class Fuzzing {
  private static final int HEAP_MIB = 512;

  /** Bytes beyond which the whole process may not grow. */
  private static final int PROCESS_MIB = 2_048;

  private Fuzzing() {}

  /**
   * Does so.
   *
   * @return 0 when nothing was found
   */
  static int run(int minutes, Path folder) throws IOException, InterruptedException {
    Path corpus = Files.createDirectories(folder.resolve("corpus"));
    ParserFuzzTest.writeSeeds(corpus);
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + HEAP_MIB + "m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + ParserFuzz.class.getName(),
                "--instrumentation_includes=dev.yardmaster.**",
                "--reproducer_path=" + folder,
                "-artifact_prefix=" + folder + "/",
                "-timeout=20",
                "-rss_limit_mb=" + PROCESS_MIB,
                "-max_len=4000",
                "-print_final_stats=1",
                "-max_total_time=" + 60 * minutes,
                corpus.toString()))
        .inheritIO()
        .start()
        .waitFor();
  }
}
