package dev.yardmaster.server;

import dev.yardmaster.cli.Io;
import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.ControllerFinder;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.explain.Words;
import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code yardmaster up}: the sample cluster of this user, and on request the console, the pictures
 * or the answers on it. With none of these it runs until it is stopped.
 */
@Command(
    name = "up",
    sortOptions = false,
    description = "The sample cluster without a console, until Ctrl+C.")
final class UpCommand implements Callable<Integer> {
  /** A server that has just started explains its first jobs slowly where the machine is busy. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Option(names = "--answers", description = "Print what holds each pending job back, then end.")
  private boolean answers;

  @Option(
      names = "--console",
      paramLabel = "LAUNCHER",
      hidden = true,
      description = "Open the console, and end with it.")
  private @Nullable Path console;

  @Option(
      names = "--pictures",
      paramLabel = "LAUNCHER",
      hidden = true,
      description = "Write the pictures of the views, then end.")
  private @Nullable Path pictures;

  @Option(
      names = "--tour",
      paramLabel = "LAUNCHER",
      hidden = true,
      description = "Write the pictures with the options that follow, then end.")
  private @Nullable Path tour;

  @Parameters(paramLabel = "OPTION", hidden = true)
  private List<String> tourOptions = new ArrayList<>();

  private final Io io;
  private final UpTexts texts = new UpTexts(Locale.getDefault());

  private UpCommand(Io io) {
    this.io = io;
  }

  /** Runs it; 0 when all that was asked for worked. */
  static int run(List<String> arguments, Io io) {
    return Options.execute("up", new UpCommand(io), arguments, io);
  }

  @Override
  public Integer call() throws InterruptedException, IOException {
    ServerLog.start();
    Path directory = ControllerFinder.sampleDirectory(io.environment()::get);
    try {
      if (Sample.runs(directory)) {
        Endpoint endpoint =
            ControllerFinder.find(directory.resolve("slurm.conf")).getFirst().endpoint();
        io.err().println(texts.get("up.already", endpoint));
        return use(directory, endpoint, null);
      }
      Sample sample = Sample.lay(shipped(), io.environment());
      try (RunningServer server = RunningServer.start(sample.setup(), io.clock())) {
        Stops.on(server);
        return use(sample.directory(), new Endpoint("127.0.0.1", server.port()), server);
      }
    } catch (StartFailure e) {
      e.lines().forEach(line -> io.err().println("up: fatal: " + line));
      return 1;
    } catch (ClientException | IOException e) {
      io.err().println("up: fatal: " + e.getMessage());
      return 1;
    }
  }

  private int use(Path directory, Endpoint endpoint, @Nullable RunningServer server)
      throws ClientException, IOException, InterruptedException {
    if (tour != null) {
      List<String> command = new ArrayList<>(List.of("tour"));
      command.addAll(tourOptions);
      return child(tour, command, directory, endpoint);
    }
    if (console != null) {
      return child(console, List.of(), directory, endpoint);
    }
    try (SchedulerClient client =
        DefaultSchedulerClient.of(endpoint, Credential.ofProcess(token(directory)), PATIENCE)) {
      ClusterView view = client.read(Selection.ALL);
      summary(client.info(), endpoint, view);
      if (answers) {
        new Answers(client, Words.of(Locale.getDefault(), io.zone()), texts, io.out())
            .print(view.jobs().values());
      }
    }
    if (pictures != null) {
      return pictures(pictures, directory, endpoint);
    }
    if (!answers && server != null) {
      io.out().println(texts.get("up.commands", checkoutOrDistribution()));
      io.out().println(texts.get("up.stop"));
      io.out().flush();
      server.awaitStop();
    }
    return 0;
  }

  private int pictures(Path launcher, Path directory, Endpoint endpoint)
      throws IOException, InterruptedException {
    Path folder = directory.resolveSibling("pictures");
    io.out().println(texts.get("up.pictures", folder));
    io.out().flush();
    int code = child(launcher, List.of("tour", "--out", folder.toString()), directory, endpoint);
    io.out().println(code == 0 ? texts.get("up.window") : texts.get("up.picturesFailed"));
    io.out().flush();
    return code;
  }

  private void summary(ClusterInfo info, Endpoint endpoint, ClusterView view) {
    long gpus = view.nodes().values().stream().mapToLong(n -> n.spec().gresCount("gpu")).sum();
    long used =
        view.jobs().values().stream()
            .filter(Job::holdsResources)
            .map(Job::allocation)
            .filter(Objects::nonNull)
            .mapToLong(allocation -> allocation.tres().gpus())
            .sum();
    io.out()
        .println(
            texts.get("up.running", info.cluster(), endpoint, view.nodes().size(), gpus, used));
    io.out().flush();
  }

  /** Starts the launcher on this cluster and waits for it. */
  private static int child(Path launcher, List<String> arguments, Path directory, Endpoint endpoint)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(arguments);
    command.addAll(List.of("--connect", endpoint.toString()));
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().put("SLURM_CONF", directory.resolve("slurm.conf").toString());
    builder.environment().put(Credential.TOKEN_FILE_VARIABLE, token(directory).toString());
    Process process = builder.start();
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      throw e;
    }
  }

  private static Path token(Path directory) {
    return directory.resolve(Credential.TOKEN_FILE);
  }

  private static String home() {
    return System.getProperty("yardmaster.home", ".");
  }

  /** Where the person at the keyboard finds the commands: a checkout keeps its build in itself. */
  private static Path checkoutOrDistribution() {
    Path distribution = Path.of(home()).toAbsolutePath().normalize();
    Path target = distribution.getParent();
    Path checkout = target == null ? null : target.getParent();
    return checkout != null && Files.isRegularFile(checkout.resolve("pom.xml"))
        ? checkout
        : distribution;
  }

  private static Path shipped() throws IOException {
    Path folder = Path.of(home(), "sample");
    if (!Files.isRegularFile(folder.resolve("slurm.conf"))) {
      throw new IOException(
          "the sample cluster is not at " + folder + "; start it with yardmaster up");
    }
    return folder;
  }
}
