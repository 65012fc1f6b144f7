package dev.yardmaster.security;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs JSON web tokens (RFC 7519) with a secret, as auth/jwt of Slurm does with HS256. */
public final class TokenKey {
  /** Name of the file in the state directory where the configuration names none. */
  public static final String FILE_NAME = "jwt_hs256.key";

  private static final int SIZE = 32;
  private static final String ALGORITHM = "HmacSHA256";
  private static final String HEAD = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";

  private final byte[] secret;

  private TokenKey(byte[] secret) {
    this.secret = secret;
  }

  /**
   * The key in a file (slurm.conf(5), AuthAltParameters=jwt_key).
   *
   * @throws IOException when it cannot be read, or is empty
   */
  public static TokenKey read(Path file) throws IOException {
    byte[] secret = Files.readAllBytes(file);
    if (secret.length == 0) {
      throw new IOException(file + " is empty; write at least " + SIZE + " random bytes into it");
    }
    return new TokenKey(secret);
  }

  /**
   * The key of a state directory, made when there is none.
   *
   * @throws IOException when it cannot be read or made
   */
  public static TokenKey in(Path stateDirectory) throws IOException {
    Path file = stateDirectory.resolve(FILE_NAME);
    try (var out =
        Files.newByteChannel(
            file,
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      out.write(ByteBuffer.wrap(random().secret));
    } catch (FileAlreadyExistsException e) {
      // Tokens of an earlier start stay valid.
    }
    return read(file);
  }

  /** A key that nobody keeps. */
  public static TokenKey random() {
    byte[] secret = new byte[SIZE];
    new SecureRandom().nextBytes(secret);
    return new TokenKey(secret);
  }

  /** A token for a user that is valid from now on for some seconds. */
  public String sign(String user, Instant now, long lifespanSeconds) {
    long issued = now.getEpochSecond();
    String claims =
        "{\"exp\":"
            + (issued + lifespanSeconds)
            + ",\"iat\":"
            + issued
            + ",\"sun\":\""
            + user.replace("\\", "\\\\").replace("\"", "\\\"")
            + "\"}";
    String signed = encoded(HEAD) + "." + encoded(claims);
    return signed + "." + encoded(code(signed));
  }

  /** Whether a signature is that of a text; takes the same time whatever differs. */
  boolean hasSigned(String text, byte[] signature) {
    return MessageDigest.isEqual(code(text), signature);
  }

  private byte[] code(String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      return mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  private static String encoded(String text) {
    return encoded(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
