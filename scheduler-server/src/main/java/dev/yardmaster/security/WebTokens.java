package dev.yardmaster.security;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.RSAPublicKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks JSON web tokens (RFC 7519): signed with the key of {@code jwt_key=} (HS256) or by one of
 * the keys of {@code jwks=} (RS256), as AuthAltParameters of slurm.conf(5) says. Each key serves
 * its own algorithm and no other, whatever a token says of itself.
 */
public final class WebTokens {
  private static final Pattern KEY = Pattern.compile("(?:^|,)\\s*jwt_key=([^,\\s]+)");
  private static final Pattern KEYS = Pattern.compile("(?:^|,)\\s*jwks=([^,\\s]+)");
  private static final Pattern CLAIM = Pattern.compile("(?:^|,)\\s*userclaimfield=([^,\\s]+)");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Seconds by which the clock of whoever issues tokens may be ahead. */
  private static final int CLOCKS_DIFFER = 60;

  private static final int LONGEST = 16 << 10;

  private final @Nullable TokenKey secret;
  private final Map<String, PublicKey> keys;
  private final String claim;

  private WebTokens(@Nullable TokenKey secret, Map<String, PublicKey> keys, String claim) {
    this.secret = secret;
    this.keys = keys;
    this.claim = claim;
  }

  /** Why a token is not believed. */
  public static final class BadTokenException extends Exception {
    private static final long serialVersionUID = 1L;

    BadTokenException(String why) {
      super(why);
    }
  }

  /**
   * What AuthAltParameters says. Where it names no key, the one of the state directory counts, with
   * which {@code scontrol token} signs then.
   *
   * @throws IOException when a file cannot be read or holds something else
   */
  public static WebTokens of(String parameters, Path stateDirectory) throws IOException {
    Matcher key = KEY.matcher(parameters);
    Matcher set = KEYS.matcher(parameters);
    Matcher field = CLAIM.matcher(parameters);
    boolean named = key.find();
    boolean hasSet = set.find();
    TokenKey secret =
        named ? TokenKey.read(Path.of(key.group(1))) : hasSet ? null : TokenKey.in(stateDirectory);
    return new WebTokens(
        secret,
        hasSet ? read(Path.of(set.group(1))) : Map.of(),
        field.find() ? field.group(1) : "sun");
  }

  private static Map<String, PublicKey> read(Path file) throws IOException {
    Map<String, PublicKey> keys = new TreeMap<>();
    try {
      for (JsonNode key : JSON.readTree(Files.readString(file)).path("keys")) {
        if (key.path("kty").asText().equals("RSA")
            && key.path("alg").asText("RS256").equals("RS256")) {
          RSAPublicKeySpec numbers =
              new RSAPublicKeySpec(number(key.path("n")), number(key.path("e")));
          keys.put(key.path("kid").asText(), KeyFactory.getInstance("RSA").generatePublic(numbers));
        }
      }
    } catch (JsonProcessingException | IllegalArgumentException | GeneralSecurityException e) {
      throw new IOException(file + " is no set of keys (RFC 7517): " + e.getMessage(), e);
    }
    if (keys.isEmpty()) {
      throw new IOException(file + " has no key for RS256");
    }
    return keys;
  }

  private static BigInteger number(JsonNode node) {
    return new BigInteger(1, Base64.getUrlDecoder().decode(node.asText()));
  }

  /** Whether a text has the form of a token. */
  static boolean isToken(String text) {
    return text.chars().filter(c -> c == '.').count() == 2;
  }

  /**
   * Whose token it is.
   *
   * @throws BadTokenException for one that is over, not valid yet, or not signed by a known key
   */
  public String user(String token, Instant now) throws BadTokenException {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3 || token.length() > LONGEST) {
      throw new BadTokenException("it is no token");
    }
    JsonNode claims;
    try {
      JsonNode head = JSON.readTree(decoded(parts[0]));
      if (head.has("crit")) {
        throw new BadTokenException("its header asks for something that is not known here");
      }
      if (!isSigned(head, parts)) {
        throw new BadTokenException("its signature is wrong");
      }
      claims = JSON.readTree(decoded(parts[1]));
    } catch (IOException | IllegalArgumentException e) {
      throw new BadTokenException("it is no token");
    }
    long second = now.getEpochSecond();
    if (!claims.path("exp").canConvertToLong() || !claims.has("exp")) {
      throw new BadTokenException("it does not say when it ends");
    }
    if (claims.path("exp").asLong() < second) {
      throw new BadTokenException("it has ended");
    }
    if (claims.path("nbf").asLong(0) > second + CLOCKS_DIFFER) {
      throw new BadTokenException("it is not valid yet");
    }
    String user = claims.path(claim).asText();
    if (user.isEmpty()) {
      throw new BadTokenException("it names no user in " + claim);
    }
    return user;
  }

  private boolean isSigned(JsonNode head, String[] parts) {
    String signed = parts[0] + "." + parts[1];
    return switch (head.path("alg").asText()) {
      case "HS256" -> secret != null && secret.hasSigned(signed, decoded(parts[2]));
      case "RS256" -> {
        PublicKey key = keys.get(head.path("kid").asText());
        yield key != null && verifies(key, signed, decoded(parts[2]));
      }
      default -> false;
    };
  }

  private static boolean verifies(PublicKey key, String signed, byte[] signature) {
    try {
      Signature check = Signature.getInstance("SHA256withRSA");
      check.initVerify(key);
      check.update(signed.getBytes(StandardCharsets.US_ASCII));
      return check.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static byte[] decoded(String part) {
    return Base64.getUrlDecoder().decode(part);
  }
}
