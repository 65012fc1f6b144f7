package dev.yardmaster.console.connect;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ControllerFinder;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultClusterFeed;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The way to a running server: the one that was named, or the one that slurm.conf names. */
public final class ServerConnector implements Connector {
  /** A question that takes longer is given up, so that one silent server blocks nothing. */
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private final Optional<String> named;
  private final @Nullable Path tokenFile;
  private final Function<String, @Nullable String> environment;

  /**
   * A connector.
   *
   * @param named {@code HOST:PORT}, or empty to look where Slurm's commands look
   * @param tokenFile the private token file, or null for the one that the environment names
   */
  public ServerConnector(
      Optional<String> named,
      @Nullable Path tokenFile,
      Function<String, @Nullable String> environment) {
    this.named = named;
    this.tokenFile = tokenFile;
    this.environment = environment;
  }

  @Override
  public String endpoint() {
    return named.orElseGet(() -> ControllerFinder.configFile(environment).toString());
  }

  @Override
  public Session connect() throws ClientException {
    Endpoint endpoint = find();
    Credential credential =
        tokenFile == null
            ? Credential.ofProcess(environment, ControllerFinder.configFile(environment))
            : Credential.ofProcess(tokenFile);
    return new Session(
        DefaultClusterFeed.follow(endpoint, credential),
        DefaultSchedulerClient.of(endpoint, credential, DEADLINE));
  }

  private Endpoint find() throws ClientException.NotConfigured {
    if (named.isEmpty()) {
      return ControllerFinder.find(environment).getFirst().endpoint();
    }
    try {
      return Endpoint.parse(named.get());
    } catch (IllegalArgumentException e) {
      throw new ClientException.NotConfigured(String.valueOf(e.getMessage()));
    }
  }
}
