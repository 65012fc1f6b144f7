package dev.yardmaster.server;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ControllerFinder;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.SchedulerClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sample cluster of this user: a copy of the shipped configuration in a folder of the user's
 * own, with a port that is free, so that Slurm's commands find it there.
 *
 * @param directory holds slurm.conf, the journal and the private token
 * @param accounting the accounts, users and QOS it begins with
 * @param workload what it has been through
 */
record Sample(Path directory, Path accounting, Path workload, int port) {
  private static final int PREFERRED_PORT = 6817;

  /**
   * Lays a fresh sample cluster. What an earlier one left is removed: it was there to be tried out.
   *
   * @param shipped folder of the distribution's sample
   * @throws IOException when a file cannot be read or written, or when the earlier one still runs
   */
  static Sample lay(Path shipped, Map<String, String> environment) throws IOException {
    Path directory = ControllerFinder.sampleDirectory(environment::get);
    Files.createDirectories(directory.getParent());
    if (Files.exists(directory)) {
      remove(directory);
    }
    Files.createDirectory(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    int port = freePort();
    String conf = Files.readString(shipped.resolve("slurm.conf"));
    String moved = conf.replaceFirst("(?m)^SlurmctldPort=.*$", "SlurmctldPort=" + port);
    Files.writeString(directory.resolve("slurm.conf"), moved);
    Files.copy(shipped.resolve("gres.conf"), directory.resolve("gres.conf"));
    Path accounting = directory.resolve("accounting");
    Files.copy(shipped.resolve("accounting"), accounting);
    Path workload = directory.resolve("workload");
    Files.copy(shipped.resolve("workload"), workload);
    return new Sample(directory, accounting, workload, port);
  }

  /** Whether the server of a sample cluster answers. */
  static boolean runs(Path directory) {
    Path conf = directory.resolve("slurm.conf");
    Path token = directory.resolve(Credential.TOKEN_FILE);
    if (!Files.isReadable(conf) || !Files.isReadable(token)) {
      return false;
    }
    try (SchedulerClient client =
        DefaultSchedulerClient.of(
            ControllerFinder.find(conf).getFirst().endpoint(),
            Credential.ofProcess(token),
            Duration.ofSeconds(2))) {
      client.info();
      return true;
    } catch (ClientException e) {
      return false;
    }
  }

  ServerSetup setup() {
    return new ServerSetup(directory, directory, true, accounting, workload, port, true);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket =
        new ServerSocket(PREFERRED_PORT, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      }
    }
  }

  private static void remove(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
              throws IOException {
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
