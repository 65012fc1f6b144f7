package dev.yardmaster.client;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How the ports of a cluster are encrypted (slurm.conf(5), TLSType and TLSParameters).
 *
 * @param authority certificate of the authority that everybody trusts
 * @param certificate of this process; null where it has none, as a user's command
 * @param key that goes with the certificate
 */
public record Tls(Path authority, @Nullable Path certificate, @Nullable Path key) {
  /** What a process is, which decides what its certificate is called. */
  public enum Part {
    CTLD,
    SLURMD
  }

  /**
   * The files of a configuration, which lie beside it unless it says otherwise.
   *
   * @param own whose certificates are looked for, first the one that is preferred; one whose key
   *     this process cannot read is not its own
   */
  public static Tls of(String parameters, Path directory, List<Part> own) {
    Path authority = file(parameters, "ca_cert_file", directory, "ca_cert.pem");
    for (Part part : own) {
      String name = part.name().toLowerCase(Locale.ROOT);
      Path key = file(parameters, name + "_cert_key_file", directory, name + "_cert_key.pem");
      if (Files.isReadable(key)) {
        Path certificate = file(parameters, name + "_cert_file", directory, name + "_cert.pem");
        return new Tls(authority, certificate, key);
      }
    }
    return new Tls(authority, null, null);
  }

  /**
   * Whether a controller is to be reached with TLS: what TLSType says; where it says nothing, when
   * the certificate of an authority lies beside the configuration, unless the controller is on
   * loopback.
   *
   * @param type TLSType; empty where there is none
   * @param host SlurmctldHost, as {@code name} or {@code name(address)}
   */
  public static boolean isExpected(String type, String parameters, Path directory, String host) {
    if (!type.isEmpty()) {
      return isOn(type);
    }
    return !isLoopback(address(host))
        && Files.exists(file(parameters, "ca_cert_file", directory, "ca_cert.pem"));
  }

  /** The address in brackets of a SlurmctldHost; empty when there is none. */
  public static String address(String host) {
    int open = host.indexOf('(');
    return open > 0 && host.endsWith(")") ? host.substring(open + 1, host.length() - 1) : "";
  }

  /** Whether an address of a configuration is of this machine alone. Asks nobody. */
  public static boolean isLoopback(String address) {
    try {
      return address.equals("localhost") || InetAddress.ofLiteral(address).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Whether a TLSType means that something is encrypted. */
  public static boolean isOn(String type) {
    return !type.isEmpty() && !type.equalsIgnoreCase("tls/none");
  }

  /** The file that a parameter names. */
  public static Path file(String parameters, String name, Path directory, String otherwise) {
    for (String word : parameters.split(",")) {
      String[] parts = word.strip().split("=", 2);
      if (parts.length == 2 && parts[0].equalsIgnoreCase(name) && !parts[1].isEmpty()) {
        return directory.resolve(parts[1]);
      }
    }
    return directory.resolve(otherwise);
  }
}
