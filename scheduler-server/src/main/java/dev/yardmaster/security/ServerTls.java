package dev.yardmaster.security;

import dev.yardmaster.client.Tls;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The certificate of a controller, and the authority whose certificates it accepts of others: who
 * shows one of those is a daemon or a controller of the cluster (slurm.conf(5), TLSParameters).
 */
public record ServerTls(Path authority, Path certificate, Path key) {
  /**
   * Whether the port is encrypted: what TLSType says; where it says nothing, when there is a
   * certificate of an authority beside the configuration, or when SlurmctldHost has an address that
   * other machines reach.
   *
   * @param host SlurmctldHost of this controller
   * @param trustsNetwork whether the operator says that nobody else is on the network
   */
  public static boolean isWanted(
      Function<String, Optional<String>> settings,
      Path directory,
      String host,
      boolean trustsNetwork) {
    String type = settings.apply("TLSType").orElse("");
    String address = Tls.address(host);
    return Tls.isExpected(type, settings.apply("TLSParameters").orElse(""), directory, host)
        || (type.isEmpty() && !trustsNetwork && !address.isEmpty() && !Tls.isLoopback(address));
  }

  /**
   * The files that the configuration names or has beside it; where it neither names any nor has the
   * key of a controller, those of an authority of the controller's own in its state directory,
   * which are made.
   *
   * @param hosts SlurmctldHost of all controllers, which the certificate is to name
   * @param ownState whether the controllers share the state directory, so that what is made there
   *     holds for all
   */
  public static ServerTls find(
      Function<String, Optional<String>> settings,
      String cluster,
      List<String> hosts,
      Path directory,
      Path state,
      boolean ownState,
      Instant now)
      throws IOException {
    String parameters = settings.apply("TLSParameters").orElse("");
    boolean isGiven =
        parameters.contains("_file=") || Files.exists(directory.resolve("ctld_cert_key.pem"));
    if (isGiven || !ownState) {
      return of(parameters, directory);
    }
    return Authority.in(state.resolve(Authority.FOLDER), cluster, now).own(names(hosts), now);
  }

  /** What a certificate has to name for controllers to be reached by it. */
  public static Set<String> names(List<String> hosts) {
    Set<String> names = new TreeSet<>(List.of("127.0.0.1", "localhost"));
    for (String host : hosts) {
      int open = host.indexOf('(');
      names.add(open > 0 ? host.substring(0, open) : host);
      String address = Tls.address(host);
      if (!address.isEmpty()) {
        names.add(canonical(address));
      }
    }
    return names;
  }

  private static String canonical(String address) {
    try {
      return InetAddress.ofLiteral(address).getHostAddress();
    } catch (IllegalArgumentException e) {
      return address;
    }
  }

  /**
   * The files that a configuration names or has beside it.
   *
   * @param directory of the configuration
   * @throws IOException when a file is missing, with its name and the parameter for another, or
   *     when others may read the key
   */
  static ServerTls of(String parameters, Path directory) throws IOException {
    Path authority =
        existing("ca_cert_file", Tls.file(parameters, "ca_cert_file", directory, "ca_cert.pem"));
    Path certificate =
        existing(
            "ctld_cert_file", Tls.file(parameters, "ctld_cert_file", directory, "ctld_cert.pem"));
    Path key =
        existing(
            "ctld_cert_key_file",
            Tls.file(parameters, "ctld_cert_key_file", directory, "ctld_cert_key.pem"));
    if (Files.getPosixFilePermissions(key).contains(PosixFilePermission.OTHERS_READ)) {
      throw new IOException(key + " may be read by everybody; chmod 600 it");
    }
    return new ServerTls(authority, certificate, key);
  }

  private static Path existing(String parameter, Path file) throws IOException {
    if (!Files.isReadable(file)) {
      throw new IOException(
          file
              + " cannot be read, and TLS needs it; yardmaster certificates makes it, or"
              + " TLSParameters="
              + parameter
              + "=FILE names another");
    }
    return file;
  }

  /**
   * For the port; a caller may show a certificate, and need not.
   *
   * @throws IOException when a file is no certificate or no key
   */
  public ServerCredentials credentials() throws IOException {
    return TlsServerCredentials.newBuilder()
        .keyManager(certificate.toFile(), key.toFile())
        .trustManager(authority.toFile())
        .clientAuth(TlsServerCredentials.ClientAuth.OPTIONAL)
        .build();
  }
}
