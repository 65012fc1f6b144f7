package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.security.WebTokens;
import dev.yardmaster.server.ScriptedController;
import dev.yardmaster.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** scontrol token: whose token, for how long, and who gets it. */
class ScontrolTokenTest {
  private static final Instant NOW = TestCluster.NOW;

  @TempDir private Path folder;
  private @Nullable TestServer server;

  private Captured serve(String parameters) throws IOException {
    Path key = Files.write(key(), new byte[] {5, 6, 7, 8});
    TestServer started =
        TestServer.of(
            new ScriptedController(
                ClusterState.initial(
                    TestCluster.config(
                        1, Map.of("AuthAltParameters", "jwt_key=" + key + parameters)),
                    NOW)),
            InstantSource.fixed(NOW),
            ZoneOffset.UTC);
    server = started;
    Path conf =
        Files.writeString(
            folder.resolve("slurm.conf"),
            "SlurmctldHost=vm(127.0.0.1)\nSlurmctldPort=" + started.endpoint().port() + "\n");
    return new Captured().config(conf).at(NOW).in(folder);
  }

  private Path key() {
    return folder.resolve("jwt.key");
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private String user(Captured command, Instant at) throws Exception {
    assertThat(command.out()).startsWith("SLURM_JWT=").endsWith("\n");
    String token = command.out().substring("SLURM_JWT=".length()).strip();
    return WebTokens.of("jwt_key=" + key(), folder).user(token, at);
  }

  private boolean isValid(Captured command, Instant at) throws Exception {
    try {
      user(command, at);
      return true;
    } catch (WebTokens.BadTokenException e) {
      return false;
    }
  }

  @Test
  void aUserGetsATokenOfHisOwnForHalfAnHourOrTheTimeAskedFor() throws Exception {
    Captured alice = serve("").as("alice", 1001);
    assertThat(alice.run("scontrol", "token")).isZero();
    assertThat(user(alice, NOW)).isEqualTo("alice");
    assertThat(isValid(alice, NOW.plusSeconds(1800))).isTrue();
    assertThat(isValid(alice, NOW.plusSeconds(1801))).isFalse();
    assertThat(alice.run("scontrol", "token", "lifespan=10")).isZero();
    assertThat(isValid(alice, NOW.plusSeconds(10))).isTrue();
    assertThat(isValid(alice, NOW.plusSeconds(11))).isFalse();
    assertThat(alice.run("scontrol", "token", "username=bob")).isOne();
    assertThat(alice.err()).startsWith("scontrol: error: slurm_fetch_token: error with request:");
    assertThat(alice.run("scontrol", "token", "lifespan=0")).isOne();
    assertThat(alice.err()).contains("Invalid numeric value \"0\" for lifespan.");
  }

  @Test
  void rootGetsThoseOfOthersAndAnyLifespan() throws Exception {
    Captured root = serve(",max_token_lifespan=60,disable_token_creation").as("root", 0);
    assertThat(root.run("scontrol", "token", "username=bob", "lifespan=infinite")).isZero();
    assertThat(user(root, NOW.plusSeconds(100_000_000))).isEqualTo("bob");
    Captured alice = root.as("alice", 1001);
    assertThat(alice.run("scontrol", "token")).isOne();
    assertThat(alice.err()).contains("slurm_fetch_token");
  }

  @Test
  void nobodyElseGetsOneForLongerThanTheSiteAllows() throws Exception {
    Captured alice = serve(",max_token_lifespan=60").as("alice", 1001);
    assertThat(alice.run("scontrol", "token", "lifespan=61")).isOne();
    assertThat(alice.run("scontrol", "token")).isZero();
    assertThat(isValid(alice, NOW.plusSeconds(60))).isTrue();
    assertThat(isValid(alice, NOW.plusSeconds(61))).isFalse();
  }
}
