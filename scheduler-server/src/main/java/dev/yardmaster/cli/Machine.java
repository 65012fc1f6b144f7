package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ControllerFinder;
import dev.yardmaster.client.Credential;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a command knows of the machine it runs on: its users, and the one who runs the command. */
public interface Machine {
  /** This machine, and the user of this process. */
  Machine THIS =
      new Machine() {
        @Override
        public Credential caller(Function<String, @Nullable String> environment, Path config)
            throws ClientException.NotAuthenticated {
          return Credential.ofProcess(environment, config);
        }

        @Override
        public @Nullable Credential find(String name) {
          return UnixUsers.find(name);
        }

        @Override
        public boolean hasUser(String name) {
          try {
            FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(name);
            return true;
          } catch (IOException e) {
            return false;
          }
        }
      };

  /** Who runs the command, with the token that the environment or the configuration has. */
  Credential caller(Function<String, @Nullable String> environment, Path config)
      throws ClientException.NotAuthenticated;

  /** The controllers that the environment points to, the first to ask first. */
  default List<ControllerFinder.Controller> controllers(
      Function<String, @Nullable String> environment) throws ClientException.NotConfigured {
    return ControllerFinder.find(environment);
  }

  /** The content of a file of the one who runs the command. */
  default byte[] read(Path file) throws IOException {
    return Files.readAllBytes(file);
  }

  /** Whether the one who runs the command sees such a file. */
  default boolean exists(Path file) {
    return Files.exists(file);
  }

  /** Whether the one who runs the command can execute a file. */
  default boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }

  /** Whether a name, or a number, is a user here. */
  boolean hasUser(String name);

  /** Whether a name, or a number, is a group here. */
  default boolean hasGroup(String name) {
    try {
      FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByGroupName(name);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** A command that was started in the foreground. */
  interface Child {
    /** Waits for its end; the exit code as a shell gives it. */
    int join() throws InterruptedException;

    /** Asks it to leave. */
    void hangUp();
  }

  /**
   * Starts a command with the standard streams of this process.
   *
   * @throws IOException when there is no such command
   */
  default Child start(List<String> command, Map<String, String> environment, Path directory)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile()).inheritIO();
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process = builder.start();
    return new Child() {
      @Override
      public int join() throws InterruptedException {
        return process.waitFor();
      }

      @Override
      public void hangUp() {
        process.destroy();
      }
    };
  }

  /**
   * Hands the signals INT, TERM and HUP to somebody from now on.
   *
   * @param handler takes the name of a signal, on another thread
   */
  default void onSignal(Consumer<String> handler) {
    CaughtSignals.hand(handler);
  }

  /** The terminal behind a descriptor of the one who runs the command; null when there is none. */
  default @Nullable Terminal terminal(int descriptor) {
    return Terminal.of(descriptor);
  }

  /**
   * How many requests a command has under way at most. Slurm's scancel(1) has ten, so that no job
   * starts where another made room.
   */
  default int requestsAtOnce() {
    return 10;
  }

  /** Who a name, or a number, is here; null when nobody. */
  @Nullable Credential find(String name);

  /** The number of a group of this machine; null when there is none of that name. */
  default @Nullable Integer groupId(String name) {
    Credential user = find(name);
    return user != null && user.group().equals(name)
        ? Integer.valueOf(user.gid())
        : Getent.groupId(name);
  }

  /** What a user is called besides the login; empty when nothing is known. */
  default String properName(String user) {
    return Getent.properName(user);
  }
}
