package dev.yardmaster.server;

import dev.yardmaster.cli.Io;
import dev.yardmaster.config.ConfigFinding;
import dev.yardmaster.config.ConfigReader;
import dev.yardmaster.config.ConfigResult;
import dev.yardmaster.journal.FileProblem;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NotationException;
import dev.yardmaster.security.Authority;
import dev.yardmaster.security.ServerTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code yardmaster certificates}: the authority that a controller keeps, and what it issues. */
@Command(
    name = "certificates",
    sortOptions = false,
    description =
        "Lists the certificates in a state folder; with --issue makes those of a node daemon, or"
            + " with --controllers those of the controllers.")
final class CertificatesCommand implements Callable<Integer> {
  @Option(
      names = "--state",
      required = true,
      paramLabel = "DIR",
      description = "State folder of the controller; the authority is made when it has none.")
  private @Nullable Path state;

  @Option(
      names = "--issue",
      paramLabel = "FOLDER",
      description =
          "Write slurmd_cert.pem, slurmd_cert_key.pem and ca_cert.pem into this folder; they belong"
              + " beside the node's slurm.conf.")
  private @Nullable Path folder;

  @Option(
      names = "--controllers",
      paramLabel = "DIR",
      description =
          "Write ctld_cert.pem and ctld_cert_key.pem as well, for the SlurmctldHost entries of the"
              + " slurm.conf in DIR.")
  private @Nullable Path config;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description = "Host names of the nodes that the certificate is for, or lists of them.")
  private List<String> names = List.of();

  private final Io io;

  private CertificatesCommand(Io io) {
    this.io = io;
  }

  /**
   * Runs it.
   *
   * @return 0, or 1 after a line that says what cannot be read or written
   */
  static int run(List<String> arguments, Io io) {
    return Options.execute("certificates", new CertificatesCommand(io), arguments, io);
  }

  @Override
  public Integer call() {
    if (state == null) {
      throw new IllegalStateException("picocli requires it");
    }
    try {
      if (folder == null) {
        if (config != null || !names.isEmpty()) {
          throw new StartFailure("names are for a new certificate; add --issue FOLDER");
        }
        list(state.resolve(Authority.FOLDER));
      } else {
        issue(state, folder);
      }
      io.out().flush();
      return 0;
    } catch (StartFailure e) {
      e.lines().forEach(line -> io.err().println("certificates: error: " + line));
      return 1;
    } catch (IOException e) {
      io.err().println("certificates: error: " + FileProblem.of(e));
      return 1;
    }
  }

  private void list(Path from) throws IOException, StartFailure {
    if (!Files.isDirectory(from)) {
      throw new StartFailure(
          from
              + " is not there: the controller has made no certificates; it does when its"
              + " SlurmctldHost has an address that other machines reach, and with --issue they are"
              + " made now");
    }
    List<Path> files;
    try (Stream<Path> all = Files.list(from)) {
      files = all.filter(file -> file.toString().endsWith("_cert.pem")).sorted().toList();
    }
    for (Path file : files) {
      show(file);
    }
  }

  private void show(Path file) throws IOException {
    X509Certificate certificate = Authority.read(file);
    Set<String> of = Authority.names(certificate);
    io.out().println(file);
    io.out().println("  of           " + certificate.getSubjectX500Principal().getName());
    if (!of.isEmpty()) {
      io.out().println("  names        " + String.join(", ", of));
    }
    io.out().println("  until        " + certificate.getNotAfter().toInstant());
    io.out().println("  fingerprint  " + Authority.fingerprint(certificate));
  }

  private void issue(Path from, Path to) throws IOException, StartFailure {
    Set<String> hosts = new TreeSet<>();
    try {
      for (String list : names) {
        HostList.parse(list).forEach(hosts::add);
      }
    } catch (NotationException e) {
      throw new StartFailure(String.valueOf(e.getMessage()));
    }
    ClusterConfig cluster = config == null ? null : read(config);
    String name = cluster == null ? "cluster" : cluster.clusterName();
    // Before the authority is made, which would be left behind.
    Files.createDirectories(to);
    if (!Files.isWritable(to)) {
      throw new StartFailure(to + " cannot be written");
    }
    Authority authority = Authority.in(from.resolve(Authority.FOLDER), name, io.clock().instant());
    String holder = hosts.size() == 1 ? hosts.iterator().next() : "slurmd";
    authority.issue(to, "slurmd", holder, hosts, io.clock().instant());
    show(to.resolve("ca_cert.pem"));
    show(to.resolve("slurmd_cert.pem"));
    if (cluster != null) {
      Set<String> controllers = ServerTls.names(cluster.controllers());
      authority.issue(to, "ctld", "slurmctld", controllers, io.clock().instant());
      show(to.resolve("ctld_cert.pem"));
    }
  }

  private static ClusterConfig read(Path directory) throws StartFailure {
    ConfigResult result = ConfigReader.read(directory);
    ClusterConfig found = result.config();
    if (found == null) {
      throw new StartFailure(result.fatal().stream().map(ConfigFinding::toString).toList());
    }
    return found;
  }
}
