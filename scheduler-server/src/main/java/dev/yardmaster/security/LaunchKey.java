package dev.yardmaster.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The key with which a controller signs what a node is to start (Ed25519): {@code launch_key.pem}
 * beside slurm.conf, so that several controllers can have the same, else one of its own in the
 * state directory.
 */
public final class LaunchKey {
  /** Name of the private key's file. */
  public static final String FILE_NAME = "launch_key.pem";

  /** Name of the file with the public key, which a node may have beside its slurm.conf. */
  public static final String PUBLIC_NAME = "launch_key_pub.pem";

  private static final String ALGORITHM = "Ed25519";
  private static final Pattern PEM =
      Pattern.compile("-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");

  private final PrivateKey key;
  private final byte[] publicKey;

  private LaunchKey(PrivateKey key, byte[] publicKey) {
    this.key = key;
    this.publicKey = publicKey;
  }

  /**
   * Reads it, and makes it where there is none.
   *
   * @throws IOException naming the file that cannot be read or written or is no such key
   */
  public static LaunchKey of(Path configDirectory, Path stateDirectory) throws IOException {
    Path given = configDirectory.resolve(FILE_NAME);
    Path file = Files.exists(given) ? given : stateDirectory.resolve(FILE_NAME);
    if (!Files.exists(file)) {
      make(file);
    }
    List<byte[]> keys = blocks(file, "PRIVATE KEY");
    List<byte[]> publics = blocks(file.resolveSibling(PUBLIC_NAME), "PUBLIC KEY");
    if (keys.size() != 1 || publics.isEmpty()) {
      throw new IOException(
          file + " and " + PUBLIC_NAME + " beside it must hold a key each, in PEM form");
    }
    try {
      PrivateKey key =
          KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(keys.get(0)));
      LaunchKey read = new LaunchKey(key, publics.get(0));
      if (!isSigned(read.publicKey, read.publicKey, read.sign(read.publicKey))) {
        throw new IOException(file + " does not belong to " + PUBLIC_NAME + " beside it");
      }
      return read;
    } catch (GeneralSecurityException e) {
      throw new IOException(file + " is no private key for Ed25519: " + e.getMessage(), e);
    }
  }

  private static void make(Path file) throws IOException {
    try {
      KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
      write(file.resolveSibling(PUBLIC_NAME), "PUBLIC KEY", pair.getPublic().getEncoded(), false);
      write(file, "PRIVATE KEY", pair.getPrivate().getEncoded(), true);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has Ed25519", e);
    }
  }

  private static void write(Path file, String what, byte[] bytes, boolean secret)
      throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(part);
    Files.createFile(
        part,
        PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString(secret ? "rw-------" : "rw-r--r--")));
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    Files.writeString(
        part,
        "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n",
        StandardCharsets.US_ASCII,
        StandardOpenOption.WRITE);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** What a file in PEM form holds of a kind, in order; nothing when there is no such file. */
  static List<byte[]> blocks(Path file, String what) throws IOException {
    List<byte[]> found = new ArrayList<>();
    if (Files.exists(file)) {
      Matcher matcher = PEM.matcher(Files.readString(file, StandardCharsets.US_ASCII));
      while (matcher.find()) {
        if (matcher.group(1).equals(what)) {
          found.add(Base64.getMimeDecoder().decode(matcher.group(2)));
        }
      }
    }
    return found;
  }

  /** The public key, as X.509 encodes it. */
  public byte[] publicKey() {
    return publicKey.clone();
  }

  /** Signs. */
  public byte[] sign(byte[] what) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(key);
      signature.update(what);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the key was good at the start", e);
    }
  }

  /** Whether bytes were signed by the owner of a public key. */
  static boolean isSigned(byte[] publicKey, byte[] what, byte[] signature) {
    try {
      PublicKey key =
          KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(publicKey));
      Signature check = Signature.getInstance(ALGORITHM);
      check.initVerify(key);
      check.update(what);
      return check.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
