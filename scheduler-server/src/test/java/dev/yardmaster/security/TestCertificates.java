package dev.yardmaster.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** An authority and its certificates in a folder, made by openssl. */
public final class TestCertificates {
  private final Path folder;

  private TestCertificates(Path folder) {
    this.folder = folder;
  }

  /** Makes an authority with the certificates of a controller and of a node daemon. */
  public static TestCertificates in(Path folder) throws IOException, InterruptedException {
    TestCertificates made = new TestCertificates(Files.createDirectories(folder));
    made.openssl(
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj"
            + " /CN=authority -keyout ca_key.pem -out ca_cert.pem");
    made.certificate("ctld");
    made.certificate("slurmd");
    return made;
  }

  private void certificate(String name) throws IOException, InterruptedException {
    openssl(
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN="
            + name
            + " -CA ca_cert.pem -CAkey ca_key.pem -addext subjectAltName=IP:127.0.0.1,DNS:localhost"
            + " -addext basicConstraints=critical,CA:FALSE"
            + " -keyout "
            + name
            + "_cert_key.pem -out "
            + name
            + "_cert.pem");
    Files.setPosixFilePermissions(
        file(name + "_cert_key.pem"), PosixFilePermissions.fromString("rw-------"));
  }

  private void openssl(String words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(words.split(" ")));
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0) {
      throw new IOException(said);
    }
  }

  public Path folder() {
    return folder;
  }

  Path file(String name) {
    return folder.resolve(name);
  }
}
