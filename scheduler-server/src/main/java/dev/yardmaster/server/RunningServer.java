package dev.yardmaster.server;

import dev.yardmaster.accounting.RecordKeeper;
import dev.yardmaster.config.ConfigFinding;
import dev.yardmaster.config.ConfigReader;
import dev.yardmaster.config.ConfigResult;
import dev.yardmaster.controller.AccountingFile;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.ControllerParts;
import dev.yardmaster.controller.DefaultController;
import dev.yardmaster.controller.EngineAdmission;
import dev.yardmaster.controller.NodeLinks;
import dev.yardmaster.controller.Prelude;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.controller.Workload;
import dev.yardmaster.controller.WorkloadPlayer;
import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.explain.Explainer;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.history.History;
import dev.yardmaster.history.Pruner;
import dev.yardmaster.journal.FileProblem;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.JournalException;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Identity;
import dev.yardmaster.node.SimulatedNodes;
import dev.yardmaster.security.Authenticator;
import dev.yardmaster.security.Authority;
import dev.yardmaster.security.LaunchKey;
import dev.yardmaster.security.PrivateToken;
import dev.yardmaster.security.Proofs;
import dev.yardmaster.security.ServerTls;
import dev.yardmaster.security.TokenKey;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server put together and serving: configuration, journal, controller, nodes, network. Closing it
 * takes it apart in the reverse order.
 */
final class RunningServer implements AutoCloseable {
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);
  private static final long SEED = 1;
  private static final Logger LOG = LoggerFactory.getLogger(RunningServer.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final CompletableFuture<Ending> ending = new CompletableFuture<>();
  private final DefaultController controller;
  private final RpcServer network;
  private final Auditor auditor;
  private final InetAddress address;
  private final List<String> notices = new ArrayList<>();
  private volatile boolean hasStarted;

  /** How a server ends. */
  sealed interface Ending {
    /** It was told to: by a signal, or by {@code scontrol shutdown}. */
    record Stopped() implements Ending {}

    /** Another controller asked for control: the one at this place of the list. */
    record GivenUp(int successor) implements Ending {}

    /** Another controller has taken control. */
    record Lost() implements Ending {}
  }

  private RunningServer(ServerSetup setup, @Nullable Place group, InstantSource clock)
      throws StartFailure {
    try {
      ClusterConfig config = read(setup.configDirectory());
      Place place =
          group == null
              ? Place.alone(config, setup.configDirectory(), setup.trustsNetwork())
              : group;
      address = place.address();
      configureLog(config).ifPresent(notices::add);
      checkPort(setup, place, config);
      makeStateDirectory(setup.stateDirectory());
      SimulatedNodes simulated =
          setup.simulateNodes() ? keep(new SimulatedNodes(config, clock, SEED)) : null;
      WorkloadPlayer player = player(setup, simulated);
      Journal journal = place.journal().apply(setup.stateDirectory());
      Authenticator authenticator = authenticator(setup, place, config, clock, journal);
      if (!authenticator.warning().isEmpty()) {
        notices.add(authenticator.warning());
      }
      ServerTls tls = authenticator.tls();
      if (tls != null && tls.authority().startsWith(setup.stateDirectory())) {
        notices.add(
            "encrypted with an authority of its own, fingerprint "
                + Authority.fingerprint(Authority.read(tls.authority()))
                + "; yardmaster certificates issues what nodes and other machines need");
      }
      NodeLinks links = new NodeLinks();
      if (!setup.simulateNodes()) {
        links.runPrograms();
      }
      RecordKeeper records = keep(records(journal, setup));
      controller = start(setup, clock, journal, links, simulated, player, records.highestJobId());
      hasStarted = true;
      controller.follow(records);
      controller.follow(new LogLevels());
      notices.addAll(UnknownQos.of(controller.state()));
      if (player != null) {
        notices.addAll(player.problems());
        player.goLive(controller, clock);
      }
      if (simulated != null) {
        simulated.goLive(controller, HEARTBEAT);
      }
      History history =
          keep(History.open(setup.stateDirectory(), journal, controller, ZoneId.systemDefault()));
      Pruner pruner =
          keep(new Pruner(history, records::recorded, () -> controller.state().config(), clock));
      pruner.start();
      auditor = keep(Auditor.in(setup.stateDirectory(), clock));
      network = keep(listen(setup, place, config, clock, authenticator, links, history, records));
    } catch (StartFailure e) {
      close();
      throw e;
    } catch (IOException e) {
      close();
      throw new StartFailure(FileProblem.of(e));
    } catch (JournalException e) {
      close();
      throw new StartFailure(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Starts a server.
   *
   * @throws StartFailure with everything that keeps it from starting; nothing is left running then
   */
  static RunningServer start(ServerSetup setup, InstantSource clock) throws StartFailure {
    return new RunningServer(setup, null, clock);
  }

  /** Starts one of several controllers, which has control. */
  static RunningServer start(ServerSetup setup, Place place, InstantSource clock)
      throws StartFailure {
    return new RunningServer(setup, place, clock);
  }

  private <T extends AutoCloseable> T keep(T part) {
    parts.push(part);
    return part;
  }

  private static RecordKeeper records(Journal journal, ServerSetup setup) {
    try {
      return RecordKeeper.open(journal, setup.stateDirectory());
    } catch (JournalException e) {
      journal.close();
      throw e;
    }
  }

  private ClusterConfig read(Path directory) throws StartFailure {
    ConfigResult result = ConfigReader.read(directory);
    result.findings().stream().map(ConfigFinding::toString).forEach(notices::add);
    ClusterConfig config = result.config();
    if (config == null) {
      throw new StartFailure(result.fatal().stream().map(ConfigFinding::toString).toList());
    }
    return config;
  }

  /** What keeps the log from being as the configuration says; empty when nothing does. */
  private static Optional<String> configureLog(ClusterConfig config) {
    try {
      ServerLog.configure(config::setting);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          "SlurmctldLogFile cannot be written, the log stays where it is: " + e.getMessage());
    }
  }

  /** Before anything is made that a start which fails would leave behind. */
  private static void checkPort(ServerSetup setup, Place place, ClusterConfig config)
      throws IOException {
    int port = setup.port() < 0 ? config.controllerPort() : setup.port();
    boolean isProtected =
        place.trustsNetwork()
            || Place.isEncrypted(config, setup.configDirectory(), place.host(), false);
    RpcServer.check(place.address(), port, isProtected);
  }

  private static void makeStateDirectory(Path directory) throws StartFailure {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new StartFailure(
          "state directory "
              + directory
              + " cannot be made: "
              + FileProblem.of(e)
              + "; --state chooses another");
    }
  }

  /**
   * The encryption of a controller's port; null for none.
   *
   * @param host its name
   */
  static @Nullable ServerTls tls(
      ServerSetup setup,
      ClusterConfig config,
      String host,
      boolean trustsNetwork,
      InstantSource clock)
      throws IOException {
    List<String> hosts = config.controllers();
    return Place.isEncrypted(config, setup.configDirectory(), host, trustsNetwork)
        ? ServerTls.find(
            config::setting,
            config.clusterName(),
            hosts,
            setup.configDirectory(),
            setup.stateDirectory(),
            hosts.size() <= 2,
            clock.instant())
        : null;
  }

  private static Authenticator authenticator(
      ServerSetup setup, Place place, ClusterConfig config, InstantSource clock, Journal journal)
      throws IOException {
    try {
      Authenticator authenticator =
          setup.privateToken()
              ? Authenticator.withToken(PrivateToken.in(setup.stateDirectory()))
              : Authenticator.none();
      Authenticator proving =
          authenticator.with(
              Proofs.of(
                  config::setting,
                  tls(setup, config, place.host(), place.trustsNetwork(), clock),
                  setup.stateDirectory()));
      return place.trustsNetwork() ? proving.trustingNetwork() : proving;
    } catch (IOException | RuntimeException e) {
      journal.close();
      throw e;
    }
  }

  private @Nullable WorkloadPlayer player(ServerSetup setup, @Nullable SimulatedNodes simulated)
      throws StartFailure {
    Path accounts = setup.accounting();
    Path file = setup.workload();
    if (file == null) {
      if (accounts != null) {
        throw new StartFailure("--accounting begins a workload; add --workload");
      }
      return null;
    }
    if (simulated == null) {
      throw new StartFailure("--workload plays on simulated nodes only; add --simulate-nodes");
    }
    AccountingFile accounting = AccountingFile.NONE;
    if (accounts != null) {
      String user = System.getProperty("user.name", "");
      accounting = readable("accounting", accounts, path -> AccountingFile.read(path, user));
    }
    Workload workload = readable("workload", file, Workload::read);
    return keep(new WorkloadPlayer(accounting, workload, List.of(simulated)));
  }

  private interface Reader<T> {
    T read(Path file) throws IOException;
  }

  private static <T> T readable(String what, Path file, Reader<T> reader) throws StartFailure {
    try {
      return reader.read(file);
    } catch (IOException e) {
      throw new StartFailure(what + " " + file + " cannot be read: " + e);
    } catch (IllegalArgumentException e) {
      throw new StartFailure(String.valueOf(e.getMessage()));
    }
  }

  private DefaultController start(
      ServerSetup setup,
      InstantSource clock,
      Journal journal,
      NodeLinks links,
      @Nullable SimulatedNodes simulated,
      @Nullable WorkloadPlayer player,
      int usedJobId)
      throws StartFailure {
    if (simulated != null) {
      simulated.attachTo(links);
    }
    ControllerParts controllerParts =
        new ControllerParts(
            journal,
            Engine::step,
            new EngineAdmission(),
            links,
            () -> reread(setup.configDirectory()),
            clock,
            ZoneId.systemDefault(),
            ControllerParts.Tuning.DEFAULT.above(usedJobId));
    try {
      return keep(DefaultController.start(controllerParts, player == null ? Prelude.NONE : player));
    } catch (RuntimeException e) {
      journal.close();
      throw new StartFailure(String.valueOf(e.getMessage()));
    }
  }

  /**
   * The configuration for a reconfigure: refused as a whole when any of it is fatal; what has no
   * effect, as a key with a typing error, is told in the log.
   */
  private ClusterConfig reread(Path directory) {
    ConfigResult result = ConfigReader.read(directory);
    ClusterConfig config = result.config();
    if (config != null && hasStarted) {
      result.findings().forEach(finding -> LOG.warn("reconfigure: {}", finding));
      configureLog(config).ifPresent(LOG::error);
    }
    if (config == null) {
      throw new IllegalArgumentException(
          String.join("\n", result.fatal().stream().map(ConfigFinding::toString).toList()));
    }
    return config;
  }

  private RpcServer listen(
      ServerSetup setup,
      Place place,
      ClusterConfig config,
      InstantSource clock,
      Authenticator authenticator,
      NodeLinks links,
      History history,
      RecordKeeper records)
      throws IOException {
    ServerCard card =
        new ServerCard(
            place.host(),
            place.role(),
            System.getProperty("user.name", ""),
            clock.instant(),
            ZoneId.systemDefault(),
            setup.simulateNodes(),
            clock);
    RpcCounts counts = new RpcCounts();
    TriggerFile triggers = keep(TriggerFile.in(setup.stateDirectory(), clock));
    controller.follow(triggers.book());
    SchedulerService service =
        new SchedulerService(
            controller,
            new Explanations(
                controller,
                (state, job, now) -> Explainer.explain(state, job.id(), now),
                history,
                clock),
            controller::script,
            new RecordAnswers(controller, records, card),
            new TokenIssuer(() -> TokenKey.in(setup.stateDirectory())),
            card,
            counts,
            auditor,
            this::askToStop);
    RpcServer server =
        RpcServer.start(
            place.address(),
            setup.port() < 0 ? config.controllerPort() : setup.port(),
            authenticator,
            counts,
            List.of(
                new RateLimit(() -> controller.state().config()).before(service),
                new TriggerService(triggers.book(), controller::state),
                new NodeService(
                    controller,
                    links,
                    card::mayServeNodes,
                    new OrderSeal(
                        LaunchKey.of(setup.configDirectory(), setup.stateDirectory()), clock)),
                ControlService.inControl(
                    who -> card.mayStop(who, controller.state()),
                    successor -> end(new Ending.GivenUp(successor)))));
    try {
      MetricsServer metrics =
          MetricsServer.start(
              config, server.port(), new Metrics(controller, counts, records::recorded, clock));
      if (metrics != null) {
        keep(metrics);
      }
      return server;
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  DefaultController controller() {
    return controller;
  }

  int port() {
    return network.port();
  }

  /** What it listens on. */
  String address() {
    return address.getHostAddress();
  }

  /** What the operator should know of this start, one fact a line. */
  List<String> notices() {
    return List.copyOf(notices);
  }

  /** As {@code scontrol reconfigure}, at SIGHUP; the log says what is wrong. */
  void reconfigure() {
    Identity root = new Identity("root", 0, "root", 0);
    Command command = new Command.Reconfigure(root);
    Map<String, Object> before = AuditedState.of(command, controller.state());
    controller
        .handle(command)
        .thenAccept(
            reply -> {
              ClusterState after = controller.state();
              auditor.note(command, root, "SIGHUP", before, after, reply, () -> {});
              if (reply instanceof Reply.Refused refused) {
                String why = Objects.requireNonNullElse(refused.detail(), refused.error().text());
                LOG.error("nothing is reconfigured: {}", why.strip());
              } else {
                LOG.info("reconfigured at SIGHUP");
              }
            });
  }

  /** Waits until somebody asks it to stop: {@code scontrol shutdown}, or {@link #askToStop}. */
  Ending awaitStop() throws InterruptedException {
    try {
      return ending.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  void askToStop() {
    end(new Ending.Stopped());
  }

  /** Asks it to end in a certain way; the first wish counts. */
  void end(Ending how) {
    ending.complete(how);
  }

  /** Something to do after everything is closed. */
  void whenClosed(Runnable action) {
    parts.addLast(action::run);
  }

  @Override
  public void close() {
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (Exception e) {
        // The rest must be closed all the same; the journal keeps what was answered.
        System.getLogger(RunningServer.class.getName())
            .log(System.Logger.Level.WARNING, "while stopping", e);
      }
    }
    parts.clear();
  }
}
