package dev.yardmaster.rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A copy of the launcher and the commands with a JDK that only prints how it was called and a Maven
 * that makes empty jars and counts how often it ran. So the scripts can be tested in milliseconds
 * and without a build.
 */
final class FakeCheckout {
  private static final String JAVA =
      """
      #!/bin/sh
      for argument; do printf '[%s]' "$argument"; done
      echo
      """;
  private static final String MAVEN =
      """
      #!/bin/sh
      echo "maven $JAVA_HOME"
      echo run >> runs
      [ ! -e broken ] || { echo 'cannot find symbol'; exit 1; }
      for module in scheduler-server console-app; do
        mkdir -p $module/target/lib
        echo jar > $module/target/lib/library.jar
        echo jar > $module/target/$module-1.0.jar
      done
      mkdir -p scheduler-server/target/lib/replication
      echo jar > scheduler-server/target/lib/replication/votes.jar
      """;

  private final Path root;
  private final Path fakes;

  FakeCheckout(Path root, Path fakes) throws IOException {
    this.root = root;
    this.fakes = fakes;
    copy("yardmaster");
    for (String folder : List.of("bin", "installers", "icons")) {
      try (Stream<Path> files = Files.walk(Checkout.root().resolve(folder))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          copy(Checkout.name(file));
        }
      }
    }
    write("pom.xml", "<project><version>1.0</version></project>");
    write("LICENSE", "");
    write("scheduler-server/pom.xml", "");
    write("scheduler-server/src/main/java/Main.java", "");
    script(fakes.resolve("bin/mvn"), MAVEN);
    jdk("jdk", "25.0.1");
  }

  /** Adds a JDK of that version beside the checkout and returns its home. */
  Path jdk(String name, String version) throws IOException {
    Path home = fakes.resolve(name);
    script(home.resolve("bin/java"), JAVA);
    script(home.resolve("bin/javac"), JAVA);
    Files.writeString(
        home.resolve("release"), "IMPLEMENTOR=\"Nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  Path root() {
    return root;
  }

  /** How often Maven ran. */
  long builds() throws IOException {
    Path runs = root.resolve("runs");
    if (!Files.exists(runs)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(runs)) {
      return lines.count();
    }
  }

  void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /** What a call printed on both streams, and how it ended. */
  record Outcome(int status, String output) {}

  /** Runs a command with the fake Maven in PATH and the fake JDK as JAVA_HOME. */
  Outcome run(String... command) throws IOException, InterruptedException {
    return finish(start(Map.of(), List.of(command)));
  }

  Process start(Map<String, String> environment, List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
    builder.directory(root.toFile()).redirectErrorStream(true);
    builder.environment().put("PATH", fakes.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", fakes.resolve("jdk").toString());
    builder.environment().putAll(environment);
    return builder.start();
  }

  static Outcome finish(Process process) throws IOException, InterruptedException {
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes());
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("still running after a minute, printed: " + output);
    }
    return new Outcome(process.exitValue(), output);
  }

  private void copy(String name) throws IOException {
    Path to = root.resolve(name);
    Files.createDirectories(to.getParent());
    Path from = Checkout.root().resolve(name);
    Files.copy(from, to);
    Files.setPosixFilePermissions(to, Files.getPosixFilePermissions(from));
  }

  private static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
