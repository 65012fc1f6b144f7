package dev.yardmaster.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebTokensTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_795_956_778);

  @TempDir private Path folder;

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String encoded(String text) {
    return encoded(text.getBytes(StandardCharsets.UTF_8));
  }

  private Path keySet(RSAPublicKey key) throws IOException {
    return Files.writeString(
        folder.resolve("jwks.json"),
        "{\"keys\":[{\"kty\":\"EC\",\"kid\":\"x\"},{\"kty\":\"RSA\",\"alg\":\"RS256\",\"kid\":\"a1\",\"n\":\""
            + encoded(key.getModulus().toByteArray())
            + "\",\"e\":\""
            + encoded(key.getPublicExponent().toByteArray())
            + "\"}]}");
  }

  private static String signed(KeyPair pair, String head, String claims) throws Exception {
    String text = encoded(head) + "." + encoded(claims);
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(pair.getPrivate());
    signature.update(text.getBytes(StandardCharsets.US_ASCII));
    return text + "." + encoded(signature.sign());
  }

  @Test
  void aTokenOfAKeySetIsAcceptedByTheKeyItNames() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("RSA").generateKeyPair();
    Path set = keySet((RSAPublicKey) pair.getPublic());
    WebTokens tokens = WebTokens.of("jwks=" + set + ",userclaimfield=name", folder);
    String claims = "{\"exp\":" + (NOW.getEpochSecond() + 9) + ",\"name\":\"alice\"}";
    String token = signed(pair, "{\"alg\":\"RS256\",\"kid\":\"a1\"}", claims);
    assertThat(tokens.user(token, NOW)).isEqualTo("alice");
    assertThatThrownBy(() -> tokens.user(token, NOW.plusSeconds(10))).hasMessage("it has ended");
    KeyPair other = KeyPairGenerator.getInstance("RSA").generateKeyPair();
    for (String bad :
        new String[] {
          signed(other, "{\"alg\":\"RS256\",\"kid\":\"a1\"}", claims),
          signed(pair, "{\"alg\":\"RS256\",\"kid\":\"b2\"}", claims),
          signed(pair, "{\"alg\":\"HS256\",\"kid\":\"a1\"}", claims),
          encoded("{\"alg\":\"none\"}") + "." + encoded(claims) + "."
        }) {
      assertThatThrownBy(() -> tokens.user(bad, NOW)).hasMessage("its signature is wrong");
    }
    // The public key is no secret for HS256, and the key of the state directory is not asked.
    TokenKey forged = TokenKey.read(set);
    assertThatThrownBy(() -> tokens.user(forged.sign("root", NOW, 60), NOW))
        .hasMessage("its signature is wrong");
  }

  @Test
  void aTokenThatTheControllerSignedIsAccepted() throws Exception {
    Path file = Files.write(folder.resolve("key"), new byte[] {1, 2, 3, 4});
    WebTokens tokens = WebTokens.of("jwt_key=" + file, folder);
    assertThat(tokens.user(TokenKey.read(file).sign("bob", NOW, 60), NOW)).isEqualTo("bob");
    assertThat(WebTokens.of("", folder).user(TokenKey.in(folder).sign("bob", NOW, 60), NOW))
        .isEqualTo("bob");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "..", "a.b", "a.b.c.d", "\u00e9.\u00e9.\u00e9", "e30.e30.e30", "=.=.="})
  void whatIsNoTokenIsRefused(String text) throws Exception {
    WebTokens tokens = WebTokens.of("", folder);
    assertThatThrownBy(() -> tokens.user(text, NOW))
        .isInstanceOf(WebTokens.BadTokenException.class);
  }

  @Test
  void aTokenWithoutAnEndOrAUserOrBeforeItsTimeIsRefused() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("RSA").generateKeyPair();
    WebTokens tokens = WebTokens.of("jwks=" + keySet((RSAPublicKey) pair.getPublic()), folder);
    String head = "{\"alg\":\"RS256\",\"kid\":\"a1\"}";
    long end = NOW.getEpochSecond() + 60;
    assertThatThrownBy(() -> tokens.user(signed(pair, head, "{\"sun\":\"a\"}"), NOW))
        .hasMessage("it does not say when it ends");
    assertThatThrownBy(() -> tokens.user(signed(pair, head, "{\"exp\":" + end + "}"), NOW))
        .hasMessage("it names no user in sun");
    // A clock may be ahead by a minute.
    String soon = "{\"exp\":" + end + ",\"nbf\":" + end + ",\"sun\":\"a\"}";
    assertThat(tokens.user(signed(pair, head, soon), NOW)).isEqualTo("a");
    String early = "{\"exp\":" + end + ",\"nbf\":" + (end + 1) + ",\"sun\":\"a\"}";
    assertThatThrownBy(() -> tokens.user(signed(pair, head, early), NOW))
        .hasMessage("it is not valid yet");
    String special = "{\"alg\":\"RS256\",\"kid\":\"a1\",\"crit\":[\"x\"]}";
    assertThatThrownBy(() -> tokens.user(signed(pair, special, soon), NOW))
        .hasMessageContaining("not known here");
  }

  @Test
  void aFileThatIsNoKeySetIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("jwks.json"), "{\"keys\":[]}");
    assertThatThrownBy(() -> WebTokens.of("jwks=" + file, folder))
        .isInstanceOf(IOException.class)
        .hasMessage(file + " has no key for RS256");
    Files.writeString(file, "{");
    assertThatThrownBy(() -> WebTokens.of("jwks=" + file, folder))
        .hasMessageStartingWith(file + " is no set of keys (RFC 7517): ");
  }
}
