package dev.yardmaster.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the controllers as Slurm's clients do: the file that {@code SLURM_CONF} names, else {@code
 * /etc/slurm/slurm.conf}, and where there is none the file that a running sample cluster of this
 * user has left; in it SlurmctldHost (in order, {@code host(address)} means the address) and
 * SlurmctldPort (slurm.conf(5)), with TLSType and what is waited for. Reads these keys and nothing
 * else, so that a command works with a file whose other lines are wrong.
 */
public final class ControllerFinder {
  /** Where the configuration is when {@code SLURM_CONF} does not say. */
  public static final Path DEFAULT_FILE = Path.of("/etc/slurm/slurm.conf");

  /**
   * A controller of a configuration.
   *
   * @param name its host as the file names it
   * @param messageTimeout MessageTimeout of slurm.conf(5): for how long Slurm's commands try to
   *     reach a controller
   * @param controllerTimeout SlurmctldTimeout of slurm.conf(5): after which silence a backup takes
   *     control
   */
  public record Controller(
      String name, Endpoint endpoint, Duration messageTimeout, Duration controllerTimeout) {}

  /** Variable that names the certificate of a cluster's authority. */
  public static final String AUTHORITY_VARIABLE = "YARDMASTER_CA_FILE";

  /** Above any configuration of the largest clusters by a factor of ten. */
  private static final long MOST_BYTES = 32L << 20;

  private static final Duration DEFAULT_MESSAGE_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration DEFAULT_CONTROLLER_TIMEOUT = Duration.ofSeconds(120);

  private final List<String> hosts = new ArrayList<>();
  private final Set<Path> including = new HashSet<>();
  private @Nullable String oldHost;
  private @Nullable String oldAddress;
  private int port = Endpoint.DEFAULT_PORT;
  private Duration messageTimeout = DEFAULT_MESSAGE_TIMEOUT;
  private Duration controllerTimeout = DEFAULT_CONTROLLER_TIMEOUT;

  private String authType = "";
  private String authInfo = "";
  private String tlsType = "";
  private String tlsParameters = "";

  private ControllerFinder() {}

  /** The file that an environment points to. */
  public static Path configFile(Function<String, @Nullable String> environment) {
    String named = environment.apply("SLURM_CONF");
    if (named != null && !named.isEmpty()) {
      return Path.of(named);
    }
    Path sample = sampleDirectory(environment).resolve("slurm.conf");
    return Files.exists(sample) && !Files.exists(DEFAULT_FILE) ? sample : DEFAULT_FILE;
  }

  /** Where the sample cluster of this user keeps its state. */
  public static Path sampleDirectory(Function<String, @Nullable String> environment) {
    String state = environment.apply("XDG_STATE_HOME");
    String home = environment.apply("HOME");
    Path base =
        state != null && !state.isEmpty()
            ? Path.of(state)
            : Path.of(home == null || home.isEmpty() ? "/tmp" : home, ".local", "state");
    return base.resolve("yardmaster").resolve("sample");
  }

  /** The controllers, first the one to ask first; never empty. */
  public static List<Controller> find(Function<String, @Nullable String> environment)
      throws ClientException.NotConfigured {
    Path file = configFile(environment);
    if (!Files.isReadable(file)) {
      throw new ClientException.NotConfigured(
          "no configuration: "
              + file
              + (Files.notExists(file) ? " does not exist" : " cannot be read by this user")
              + "; set SLURM_CONF to the cluster's slurm.conf");
    }
    return find(file);
  }

  /**
   * For how long a command tries. Where there are backups, as Slurm's commands do: until one of
   * them must have taken control.
   */
  public static Duration patience(List<Controller> controllers) {
    Controller first = controllers.getFirst();
    Duration takeover = first.controllerTimeout().multipliedBy(3).dividedBy(2);
    return controllers.size() > 1 && takeover.compareTo(first.messageTimeout()) > 0
        ? takeover
        : first.messageTimeout();
  }

  /** The controllers that a slurm.conf names. */
  public static List<Controller> find(Path file) throws ClientException.NotConfigured {
    ControllerFinder finder = new ControllerFinder();
    try {
      finder.read(file);
    } catch (IOException e) {
      throw new ClientException.NotConfigured("cannot read " + e.getMessage());
    }
    if (finder.hosts.isEmpty() && finder.oldHost != null) {
      finder.hosts.add(
          finder.oldAddress == null
              ? finder.oldHost
              : finder.oldHost + "(" + finder.oldAddress + ")");
    }
    if (finder.hosts.isEmpty()) {
      throw new ClientException.NotConfigured(
          file + ": SlurmctldHost is missing; add SlurmctldHost=HOST");
    }
    String here = localName();
    Path parent = file.toAbsolutePath().getParent();
    Path directory = parent == null ? Path.of(".") : parent;
    Tls tls = Tls.of(finder.tlsParameters, directory, List.of(Tls.Part.CTLD, Tls.Part.SLURMD));
    return finder.hosts.stream()
        .map(
            host ->
                new Controller(
                    name(host),
                    new Endpoint(
                        address(host, here),
                        finder.port,
                        Tls.isExpected(finder.tlsType, finder.tlsParameters, directory, host)
                            ? tls
                            : null,
                        Munge.of(finder.authType, finder.authInfo)),
                    finder.messageTimeout,
                    finder.controllerTimeout))
        .toList();
  }

  /**
   * A controller that somebody named instead of taking it from a configuration, with its
   * encryption: with the authority that {@code YARDMASTER_CA_FILE} names; else as the configuration
   * says of the same controller; else, on another machine, with the authority beside the
   * configuration, if there is one.
   */
  public static Endpoint secured(Endpoint named, Function<String, @Nullable String> environment) {
    String authority = environment.apply(AUTHORITY_VARIABLE);
    if (authority != null && !authority.isEmpty()) {
      return new Endpoint(named.host(), named.port(), new Tls(Path.of(authority), null, null));
    }
    Path file = configFile(environment);
    try {
      for (Controller controller : Files.isReadable(file) ? find(file) : List.<Controller>of()) {
        Endpoint known = controller.endpoint();
        if (known.port() == named.port()
            && (known.host().equals(named.host()) || controller.name().equals(named.host()))) {
          return new Endpoint(named.host(), named.port(), known.tls(), known.munge());
        }
      }
    } catch (ClientException.NotConfigured e) {
      // It is not needed: the controller was named.
      return named;
    }
    Path beside = file.resolveSibling("ca_cert.pem");
    return !Tls.isLoopback(named.host()) && Files.isReadable(beside)
        ? new Endpoint(named.host(), named.port(), new Tls(beside, null, null))
        : named;
  }

  private void read(Path file) throws IOException, ClientException.NotConfigured {
    if (!including.add(file.toAbsolutePath().normalize())) {
      return;
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new ClientException.NotConfigured(file + " is not a regular file; name a file");
    }
    if (Files.size(file) > MOST_BYTES) {
      throw new ClientException.NotConfigured(
          file + " has more than " + (MOST_BYTES >> 20) + " MiB; this is not a configuration file");
    }
    StringBuilder joined = new StringBuilder();
    int number = 0;
    for (String raw : new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n")) {
      number++;
      String line = raw.stripTrailing();
      int comment = line.indexOf('#');
      if (comment >= 0 && (comment == 0 || line.charAt(comment - 1) != '\\')) {
        line = line.substring(0, comment).stripTrailing();
      }
      if (line.endsWith("\\")) {
        joined.append(line, 0, line.length() - 1).append(' ');
        continue;
      }
      take(joined.append(line).toString().strip(), file, number);
      joined.setLength(0);
    }
    take(joined.toString().strip(), file, number);
  }

  private void take(String line, Path file, int number)
      throws IOException, ClientException.NotConfigured {
    String lower = line.toLowerCase(Locale.ROOT);
    if (lower.startsWith("include ") || lower.startsWith("include\t")) {
      Path parent = file.toAbsolutePath().getParent();
      String included = line.substring("include".length()).strip();
      read(parent == null ? Path.of(included) : parent.resolve(included));
    } else if (lower.startsWith("slurmctldhost")) {
      hosts.add(value(line));
    } else if (lower.startsWith("slurmctldport")) {
      port = port(value(line), file, number);
    } else if (lower.startsWith("messagetimeout")) {
      messageTimeout = timeout(value(line), DEFAULT_MESSAGE_TIMEOUT);
    } else if (lower.startsWith("slurmctldtimeout")) {
      controllerTimeout = timeout(value(line), DEFAULT_CONTROLLER_TIMEOUT);
    } else if (lower.startsWith("tlstype")) {
      tlsType = value(line);
    } else if (lower.startsWith("tlsparameters")) {
      tlsParameters = value(line);
    } else if (lower.startsWith("authtype")) {
      authType = value(line);
    } else if (lower.startsWith("authinfo")) {
      authInfo = value(line);
    } else if (lower.startsWith("controlmachine")) {
      oldHost = value(line);
    } else if (lower.startsWith("controladdr")) {
      oldAddress = value(line);
    }
  }

  private static String value(String line) {
    String value = line.substring(line.indexOf('=') + 1).strip();
    int end = 0;
    while (end < value.length() && !Character.isWhitespace(value.charAt(end))) {
      end++;
    }
    return value.substring(0, end).replace("\"", "");
  }

  private static String name(String host) {
    int open = host.indexOf('(');
    return open > 0 ? host.substring(0, open) : host;
  }

  /** The address in brackets, else the name; this machine is reached over loopback. */
  private static String address(String host, String here) {
    String given = Tls.address(host);
    if (!given.isEmpty()) {
      return given;
    }
    boolean local =
        host.equalsIgnoreCase(here) || (here + ".").startsWith(host.toLowerCase(Locale.ROOT) + ".");
    return local ? "127.0.0.1" : host;
  }

  /** The name of this machine; empty when it cannot be told without asking the network. */
  private static String localName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname"))
          .strip()
          .toLowerCase(Locale.ROOT);
    } catch (IOException e) {
      return "";
    }
  }

  /** What cannot be read does not keep a command from its controller, which complains about it. */
  private static Duration timeout(String text, Duration otherwise) {
    try {
      return Duration.ofSeconds(Integer.parseUnsignedInt(text));
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  private static int port(String text, Path file, int number) throws ClientException.NotConfigured {
    try {
      int first = Integer.parseInt(text.split("-", 2)[0]);
      if (first > 0 && first <= 65_535) {
        return first;
      }
    } catch (NumberFormatException e) {
      // Falls to the message below, which names the text.
    }
    throw new ClientException.NotConfigured(
        file
            + ":"
            + number
            + ": SlurmctldPort="
            + text
            + " is not a port; write a number from 1 to 65535");
  }
}
