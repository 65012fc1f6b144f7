package dev.yardmaster.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/**
 * A secret in a file that only the owner of the server can read. Whoever shows it is that owner.
 */
public final class PrivateToken {
  /** Name of the file in the state directory. */
  public static final String FILE_NAME = "private.token";

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final byte[] secret;

  private PrivateToken(byte[] secret) {
    this.secret = secret;
  }

  /**
   * The token of a state directory, made when there is none.
   *
   * @throws IOException when it cannot be read or made, or when others could read it
   */
  public static PrivateToken in(Path stateDirectory) throws IOException {
    Path file = stateDirectory.resolve(FILE_NAME);
    create(file);
    if (!Files.getPosixFilePermissions(file).equals(OWNER_ONLY)) {
      throw new IOException(
          file + " may be read by others; remove it, and the server makes a new one");
    }
    String text = Files.readString(file).strip();
    if (text.length() < 32) {
      throw new IOException(file + " is damaged; remove it, and the server makes a new one");
    }
    return new PrivateToken(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void create(Path file) throws IOException {
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    try (var out =
        Files.newByteChannel(
            file,
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
      out.write(StandardCharsets.UTF_8.encode(HexFormat.of().formatHex(random) + "\n"));
    } catch (FileAlreadyExistsException e) {
      // The token of an earlier start is kept, so that clients need not be told a new one.
    }
  }

  /** The token itself, for calls of the server to itself. */
  String text() {
    return new String(secret, StandardCharsets.UTF_8);
  }

  /** Whether a caller has shown the token; takes the same time whatever differs. */
  boolean matches(String shown) {
    return MessageDigest.isEqual(secret, shown.getBytes(StandardCharsets.UTF_8));
  }
}
