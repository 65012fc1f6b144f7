package dev.yardmaster.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthorityTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path folder;

  private static Function<String, Optional<String>> settings(String... pairs) {
    return key -> {
      for (int i = 0; i < pairs.length; i += 2) {
        if (pairs[i].equals(key)) {
          return Optional.of(pairs[i + 1]);
        }
      }
      return Optional.empty();
    };
  }

  @Test
  void anAuthorityIsKeptAndItsKeysAreReadByTheirOwnerAlone() throws Exception {
    Authority first = Authority.in(folder.resolve("ca"), "test", NOW);
    X509Certificate authority = Authority.read(first.certificate());
    first.issue(folder, "slurmd", "n1", List.of("n1", "10.0.0.7"), NOW);
    Authority again = Authority.in(folder.resolve("ca"), "test", NOW.plusSeconds(9));
    assertThat(Authority.read(again.certificate())).isEqualTo(authority);
    X509Certificate issued = Authority.read(folder.resolve("slurmd_cert.pem"));
    issued.verify(authority.getPublicKey());
    assertThat(Authority.names(issued)).containsExactly("10.0.0.7", "n1");
    assertThat(issued.getBasicConstraints()).isNegative();
    assertThat(authority.getBasicConstraints()).isNotNegative();
    assertThat(Authority.read(folder.resolve("ca_cert.pem"))).isEqualTo(authority);
    for (Path key :
        List.of(folder.resolve("ca/ca_key.pem"), folder.resolve("slurmd_cert_key.pem"))) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
          .isEqualTo("rw-------");
    }
    Files.delete(folder.resolve("ca/ca_key.pem"));
    assertThatThrownBy(() -> Authority.in(folder.resolve("ca"), "test", NOW))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("bring it back, or remove both");
  }

  @Test
  void theControllersCertificateIsRenewedWhenItEndsSoonOrANameIsMissing() throws Exception {
    Authority authority = Authority.in(folder, "test", NOW);
    String first = print(authority.own(List.of("ctl1"), NOW));
    assertThat(print(authority.own(List.of("ctl1"), NOW))).isEqualTo(first);
    String named = print(authority.own(List.of("ctl1", "ctl2"), NOW));
    assertThat(named).isNotEqualTo(first);
    Instant later = NOW.plus(Duration.ofDays(4 * 365 + 30));
    assertThat(print(authority.own(List.of("ctl2"), later))).isNotEqualTo(named);
  }

  private static String print(ServerTls tls) throws IOException {
    return Authority.fingerprint(Authority.read(tls.certificate()));
  }

  @Test
  void whatOtherMachinesReachIsEncryptedUnlessItIsSaidNotToBe() throws Exception {
    assertThat(ServerTls.isWanted(settings(), folder, "ctl(10.0.0.1)", false)).isTrue();
    assertThat(ServerTls.isWanted(settings(), folder, "ctl(127.0.0.1)", false)).isFalse();
    assertThat(ServerTls.isWanted(settings(), folder, "ctl", false)).isFalse();
    assertThat(ServerTls.isWanted(settings(), folder, "ctl(10.0.0.1)", true)).isFalse();
    assertThat(ServerTls.isWanted(settings("TLSType", "tls/none"), folder, "ctl(10.0.0.1)", false))
        .isFalse();
    assertThat(ServerTls.isWanted(settings("TLSType", "tls/s2n"), folder, "ctl", false)).isTrue();
    Authority.in(folder, "test", NOW);
    assertThat(ServerTls.isWanted(settings(), folder, "ctl", false)).isTrue();
    assertThat(ServerTls.isWanted(settings(), folder, "ctl(127.0.0.1)", false)).isFalse();
  }

  @Test
  void whatIsGivenComesBeforeWhatIsMadeAndSeveralControllersHaveToBeGivenIt() throws Exception {
    Path config = Files.createDirectories(folder.resolve("etc"));
    Path state = folder.resolve("state");
    List<String> hosts = List.of("ctl1(10.0.0.1)", "ctl2(2001:db8::1)");
    ServerTls own = ServerTls.find(settings(), "test", hosts, config, state, true, NOW);
    assertThat(own.certificate()).startsWith(state);
    assertThat(Authority.names(Authority.read(own.certificate())))
        .containsExactlyInAnyOrder(
            "127.0.0.1", "localhost", "ctl1", "10.0.0.1", "ctl2", "2001:db8:0:0:0:0:0:1");
    assertThatThrownBy(() -> ServerTls.find(settings(), "test", hosts, config, state, false, NOW))
        .hasMessageContaining("yardmaster certificates makes it");
    Authority.in(state.resolve(Authority.FOLDER), "test", NOW)
        .issue(config, "ctld", "slurmctld", ServerTls.names(hosts), NOW);
    ServerTls given = ServerTls.find(settings(), "test", hosts, config, state, false, NOW);
    assertThat(given.certificate()).isEqualTo(config.resolve("ctld_cert.pem"));
    assertThat(given.credentials()).isNotNull();
  }
}
