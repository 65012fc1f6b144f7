package dev.yardmaster.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.api.Headers;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.SchedulerGrpc;
import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.server.ScriptedController;
import dev.yardmaster.server.TestServer;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticatorTest {
  @TempDir private Path state;

  private static TestServer serve(Authenticator authenticator) throws IOException {
    return TestServer.of(new ScriptedController(Lab.sixNodes().state()), authenticator);
  }

  private static Credential alice(@Nullable String token) {
    return new Credential("alice", 1001, "users", 100, token);
  }

  @Test
  void aPrivateServerLetsInOnlyWhoShowsItsToken() throws IOException, ClientException {
    PrivateToken token = PrivateToken.in(state);
    String secret = Files.readString(state.resolve(PrivateToken.FILE_NAME)).strip();
    try (TestServer server = serve(Authenticator.withToken(token));
        SchedulerClient friend = DefaultSchedulerClient.of(server.endpoint(), alice(secret));
        SchedulerClient guess =
            DefaultSchedulerClient.of(server.endpoint(), alice("0".repeat(64)));
        SchedulerClient stranger = DefaultSchedulerClient.of(server.endpoint(), alice(null))) {
      assertThat(friend.info().cluster()).isEqualTo("lab");
      assertThatThrownBy(guess::info).isInstanceOf(ClientException.NotAuthenticated.class);
      assertThatThrownBy(stranger::info)
          .isInstanceOf(ClientException.NotAuthenticated.class)
          .hasMessageContaining("token is missing or wrong");
    }
  }

  @Test
  void theTokenFileIsForItsOwnerAndStays() throws IOException {
    PrivateToken.in(state);
    Path file = state.resolve(PrivateToken.FILE_NAME);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    String first = Files.readString(file);
    PrivateToken.in(state);
    assertThat(Files.readString(file)).isEqualTo(first);
  }

  @Test
  void aTokenFileThatOthersMayReadIsRefused() throws IOException {
    PrivateToken.in(state);
    Path file = state.resolve(PrivateToken.FILE_NAME);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> PrivateToken.in(state))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void withoutATokenEveryStartWarns() {
    assertThat(Authenticator.none().warning()).contains("auth/none").contains("loopback");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "alice", ":1001:users:100", "alice:x:users:100", "a:1:b:2:c"})
  void aCallThatDoesNotSayWhoMakesItIsRefused(String identity) throws IOException {
    Metadata headers = new Metadata();
    headers.put(Headers.CONTRACT, Headers.CONTRACT_VERSION);
    headers.put(Headers.IDENTITY, identity);
    assertThat(statusOf(headers).getDescription()).contains("does not say who makes it");
  }

  @Test
  void aClientOfAnotherContractIsToldSo() throws IOException {
    Metadata headers = new Metadata();
    headers.put(Headers.CONTRACT, "99");
    headers.put(Headers.IDENTITY, "alice:1001:users:100");
    assertThat(statusOf(headers).getDescription()).contains("version 1").contains("99");
  }

  private static Status statusOf(Metadata headers) throws IOException {
    try (TestServer server = serve(Authenticator.none())) {
      ManagedChannel channel =
          Grpc.newChannelBuilder(server.endpoint().toString(), InsecureChannelCredentials.create())
              .intercept(MetadataUtils.newAttachHeadersInterceptor(headers))
              .build();
      try {
        SchedulerGrpc.newBlockingStub(channel).info(Rpc.InfoRequest.getDefaultInstance());
        throw new AssertionError("the call was let in");
      } catch (StatusRuntimeException e) {
        assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        return e.getStatus();
      } finally {
        channel.shutdownNow();
      }
    }
  }
}
