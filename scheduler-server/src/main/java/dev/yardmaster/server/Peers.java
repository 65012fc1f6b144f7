package dev.yardmaster.server;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ControllerFinder;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.config.ConfigFinding;
import dev.yardmaster.config.ConfigReader;
import dev.yardmaster.config.ConfigResult;
import dev.yardmaster.model.ClusterConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The controllers of a cluster, and which of them this one is: the one that has this machine's
 * name, else the first that has an address of this machine (slurm.conf(5), SlurmctldHost).
 *
 * @param self the place of this one in the list
 * @param silence SlurmctldTimeout
 */
record Peers(
    String cluster, List<Peer> all, int self, int port, Duration silence, String slurmUser) {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /**
   * One of the controllers.
   *
   * @param name as the file names it
   * @param address as the file gives it in brackets; empty when it gives none
   */
  record Peer(String name, String address) {
    private static Peer of(String text) {
      int open = text.indexOf('(');
      return open > 0 && text.endsWith(")")
          ? new Peer(text.substring(0, open), text.substring(open + 1, text.length() - 1))
          : new Peer(text, "");
    }

    /** What others reach it by. */
    String target() {
      return address.isEmpty() ? name : address;
    }
  }

  /**
   * Reads them.
   *
   * @param named which one this is; null to look for it
   * @throws StartFailure when the file cannot be read, or this is none of them
   */
  static Peers read(Path directory, @Nullable String named, int port) throws StartFailure {
    ConfigResult result = ConfigReader.read(directory);
    ClusterConfig config = result.config();
    if (config == null) {
      throw new StartFailure(result.fatal().stream().map(ConfigFinding::toString).toList());
    }
    List<Peer> all = config.controllers().stream().map(Peer::of).toList();
    String timeout = config.setting("SlurmctldTimeout").orElse("120");
    return new Peers(
        config.clusterName(),
        all,
        self(all, named == null ? hostName() : named, named == null),
        port < 0 ? config.controllerPort() : port,
        Duration.ofSeconds(timeout.matches("[0-9]{1,9}") ? Integer.parseInt(timeout) : 120),
        config.setting("SlurmUser").orElse("root"));
  }

  private static int self(List<Peer> all, String host, boolean byAddress) throws StartFailure {
    for (int i = 0; i < all.size(); i++) {
      if (shortName(all.get(i).name()).equals(shortName(host))) {
        return i;
      }
    }
    for (int i = 0; byAddress && i < all.size(); i++) {
      if (isOfThisMachine(all.get(i).target())) {
        return i;
      }
    }
    throw new StartFailure(
        "this machine, "
            + host
            + ", is no SlurmctldHost of the configuration, which has "
            + String.join(", ", all.stream().map(Peer::name).toList())
            + "; add it there, or say with --host which of them this controller is");
  }

  private static String shortName(String host) {
    int dot = host.indexOf('.');
    return (dot > 0 ? host.substring(0, dot) : host).toLowerCase(Locale.ROOT);
  }

  private static boolean isOfThisMachine(String target) {
    try {
      InetAddress address = InetAddress.getByName(target);
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (IOException e) {
      return false;
    }
  }

  private static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "localhost";
    }
  }

  Peer own() {
    return all.get(self);
  }

  String role() {
    return self == 0 ? "primary" : all.size() > 2 ? "backup" + self : "backup";
  }

  /** What this one listens on: the address that the file gives, else all, or loopback alone. */
  InetAddress address(boolean network) throws StartFailure {
    String given = own().address();
    try {
      if (!given.isEmpty()) {
        return InetAddress.getByName(given);
      }
      return network ? InetAddress.getByName("0.0.0.0") : InetAddress.getLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new StartFailure(
          "SlurmctldHost=" + own().name() + "(" + given + "): no such address is known here");
    }
  }

  /** Asks another controller to hand over; fails when it does not answer or does not want to. */
  void askToGiveUp(int other, Path configFile) throws ClientException {
    List<ControllerFinder.Controller> found = ControllerFinder.find(configFile);
    Endpoint named = found.get(other).endpoint();
    Endpoint endpoint = new Endpoint(named.host(), port, named.tls(), named.munge());
    Credential credential = Credential.ofProcess(System::getenv, configFile);
    try (DefaultSchedulerClient client =
        DefaultSchedulerClient.of(endpoint, credential, PATIENCE)) {
      client.giveUp(self);
    }
  }
}
