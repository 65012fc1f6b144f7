package dev.yardmaster.security;

import dev.yardmaster.client.Tls;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of a controller, and the authority whose certificates it accepts of others: who
 * shows one of those is a daemon or a controller of the cluster (slurm.conf(5), TLSParameters).
 */
public record ServerTls(Path authority, Path certificate, Path key) {
  /**
   * What a configuration says.
   *
   * @param directory of the configuration
   * @return null when TLSType asks for nothing
   * @throws IOException when a file is missing, with its name and the parameter for another, or
   *     when others may read the key
   */
  public static @Nullable ServerTls of(String type, String parameters, Path directory)
      throws IOException {
    if (!Tls.isOn(type)) {
      return null;
    }
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
              + " cannot be read, and TLSType asks for it; TLSParameters="
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
