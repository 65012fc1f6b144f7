package dev.yardmaster.console.connect;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ControllerFinder;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultClusterFeed;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
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
   * @param named {@code HOST:PORT}, several controllers of a cluster with commas between them, or
   *     empty to look where Slurm's commands look
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
    List<Endpoint> endpoints = find();
    Credential credential =
        tokenFile == null
            ? Credential.ofProcess(environment, ControllerFinder.configFile(environment))
            : Credential.ofProcess(tokenFile);
    return new Session(
        DefaultClusterFeed.follow(endpoints, credential),
        DefaultSchedulerClient.of(endpoints, credential, DEADLINE, patience(endpoints)));
  }

  /** While one of several controllers takes over from another, a question waits for it. */
  private static Duration patience(List<Endpoint> endpoints) {
    return endpoints.size() > 1 ? DEADLINE : Duration.ZERO;
  }

  private List<Endpoint> find() throws ClientException.NotConfigured {
    if (named.isEmpty()) {
      return ControllerFinder.find(environment).stream()
          .map(ControllerFinder.Controller::endpoint)
          .toList();
    }
    try {
      return Arrays.stream(named.get().split(",", -1))
          .map(Endpoint::parse)
          .map(endpoint -> ControllerFinder.secured(endpoint, environment))
          .toList();
    } catch (IllegalArgumentException e) {
      throw new ClientException.NotConfigured(String.valueOf(e.getMessage()));
    }
  }
}
