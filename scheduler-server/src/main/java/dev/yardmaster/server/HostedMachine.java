package dev.yardmaster.server;

import dev.yardmaster.cli.Machine;
import dev.yardmaster.client.ControllerFinder;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.Endpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The machine of a command that the controller runs for a caller: its users are those of the
 * controller's machine, which is the same; the one who runs the command, and its files, are the
 * caller's.
 */
final class HostedMachine implements Machine {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Credential caller;
  private final Endpoint controller;
  private final HostedStreams files;

  HostedMachine(Credential caller, Endpoint controller, HostedStreams files) {
    this.caller = caller;
    this.controller = controller;
    this.files = files;
  }

  @Override
  public Credential caller(Function<String, @Nullable String> environment, Path config) {
    return caller;
  }

  @Override
  public List<ControllerFinder.Controller> controllers(
      Function<String, @Nullable String> environment) {
    return List.of(
        new ControllerFinder.Controller(controller.host(), controller, PATIENCE, PATIENCE));
  }

  @Override
  public @Nullable Credential find(String name) {
    return THIS.find(name);
  }

  @Override
  public boolean hasUser(String name) {
    return THIS.hasUser(name);
  }

  @Override
  public byte[] read(Path file) throws IOException {
    return files.read(file);
  }

  @Override
  public boolean exists(Path file) {
    return files.exists(file);
  }

  @Override
  public boolean isProgram(Path file) {
    return files.isProgram(file);
  }
}
