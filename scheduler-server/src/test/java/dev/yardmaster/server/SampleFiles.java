package dev.yardmaster.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The shipped sample cluster in a directory of a test, on a port that is free. */
final class SampleFiles {
  private static final Path SAMPLE = Path.of("..", "sample");

  private SampleFiles() {}

  /** A server on the sample's files, which are copied where they are not there yet. */
  static ServerSetup setup(Path directory) throws IOException {
    for (String file : List.of("slurm.conf", "gres.conf", "accounting", "workload")) {
      if (Files.notExists(directory.resolve(file))) {
        Files.copy(SAMPLE.resolve(file), directory.resolve(file));
      }
    }
    return new ServerSetup(
        directory,
        directory,
        true,
        directory.resolve("accounting"),
        directory.resolve("workload"),
        port(directory.resolve("slurm.conf")),
        true);
  }

  private static int port(Path conf) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = socket.getLocalPort();
      Files.writeString(
          conf,
          Files.readString(conf).replaceFirst("(?m)^SlurmctldPort=.*$", "SlurmctldPort=" + port));
      return port;
    }
  }
}
