package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ControllerFinder;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.SchedulerClient;
import java.nio.file.Path;
import java.util.List;

/** Connects a command with the controller that its environment names. */
final class Session {
  /** Slurm's words for a controller that does not answer. */
  static final String NO_CONTACT = "Unable to contact slurm controller (connect failure)";

  private Session() {}

  /**
   * A client of the first controller of the configuration. As Slurm's commands do, it waits for a
   * controller that does not listen yet.
   */
  static SchedulerClient open(String program, Io io) throws CommandFailure {
    try {
      Path config = ControllerFinder.configFile(io::variable);
      ControllerFinder.Controller primary = controllers(io).getFirst();
      return DefaultSchedulerClient.patient(
          primary.endpoint(), Credential.ofProcess(io::variable, config), primary.messageTimeout());
    } catch (ClientException e) {
      throw new CommandFailure(1, program + ": fatal: " + e.text());
    }
  }

  /** The controllers of the configuration, the primary first. */
  static List<ControllerFinder.Controller> controllers(Io io) throws ClientException.NotConfigured {
    return ControllerFinder.find(io::variable);
  }

  /** The name of the user who runs this command. */
  static String me() throws CommandFailure {
    return user().user();
  }

  /** The number of the user who runs this command. */
  static int uid() throws CommandFailure {
    return user().uid();
  }

  private static Credential user() throws CommandFailure {
    try {
      return Credential.ofProcess(null);
    } catch (ClientException e) {
      throw new CommandFailure(1, e.text());
    }
  }

  /**
   * What a failure is in Slurm's words, without the command's own prefix: for a refusal the words
   * of the error, for a controller that does not answer {@link #NO_CONTACT} and why.
   */
  static String words(ClientException e) {
    return switch (e) {
      case ClientException.Refused refused -> refused.slurmText();
      case ClientException.Unreachable unreachable -> NO_CONTACT + ": " + unreachable.text();
      case ClientException.NotAuthenticated refused ->
          "Access/permission denied: " + refused.text();
      case ClientException.NotConfigured other -> other.text();
      case ClientException.WrongVersion other -> other.text();
      case ClientException.Failed other -> other.text();
    };
  }
}
