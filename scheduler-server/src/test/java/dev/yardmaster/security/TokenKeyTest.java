package dev.yardmaster.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenKeyTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_795_956_778);

  @TempDir private Path folder;

  @Test
  void aTokenSaysWhoUntilWhenAndIsSigned() throws IOException {
    Path file = Files.write(folder.resolve("key"), new byte[] {1, 2, 3, 4});
    String token = TokenKey.read(file).sign("alice", NOW, 1800);
    String[] parts = token.split("\\.");
    assertThat(decoded(parts[0])).isEqualTo("{\"alg\":\"HS256\",\"typ\":\"JWT\"}");
    assertThat(decoded(parts[1]))
        .isEqualTo("{\"exp\":1795958578,\"iat\":1795956778,\"sun\":\"alice\"}");
    // As openssl dgst -sha256 -mac HMAC -macopt hexkey:01020304 signs the first two parts.
    assertThat(parts[2]).isEqualTo("mAu23sFn77R1klzr1ABN4aba5BQMf4iAL9sttiFHjio");
    assertThat(TokenKey.read(file).sign("alice", NOW, 1800)).isEqualTo(token);
    assertThat(TokenKey.read(file).sign("bob", NOW, 1800)).doesNotEndWith(parts[2]);
  }

  @Test
  void theKeyOfAStateDirectoryIsMadeOnceForItsOwnerAlone() throws IOException {
    String token = TokenKey.in(folder).sign("alice", NOW, 60);
    assertThat(TokenKey.in(folder).sign("alice", NOW, 60)).isEqualTo(token);
    assertThat(Files.getPosixFilePermissions(folder.resolve(TokenKey.FILE_NAME)))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void anEmptyKeyIsRefused() throws IOException {
    Path file = Files.createFile(folder.resolve("key"));
    assertThatThrownBy(() -> TokenKey.read(file)).hasMessageContaining("is empty");
  }

  private static String decoded(String part) {
    return new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
  }
}
