package dev.yardmaster.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whose signature a node believes, and what it has obeyed already. The keys in {@code
 * launch_key_pub.pem} beside its slurm.conf are the only ones if there is such a file. Otherwise it
 * is the key that a controller shows first on a connection whose other end is proven, by TLS or by
 * being on this machine; where it is not, the first keys ever seen, as many as there are
 * controllers, which the spool keeps.
 */
public final class LaunchTrust {
  private static final String KEYS = "launch_keys";
  private static final String OBEYED = "launch_credentials";

  private final @Nullable Path given;
  private final List<byte[]> trusted;
  private final Path known;
  private final int most;
  private final Path obeyedFile;

  /** When a credential ends that was obeyed, by its number. */
  private final Map<String, Long> obeyed = new HashMap<>();

  private byte @Nullable [] ofConnection;

  private LaunchTrust(@Nullable Path given, List<byte[]> trusted, Path spool, int most)
      throws IOException {
    this.given = given;
    this.trusted = trusted;
    this.most = most;
    known = spool.resolve(KEYS);
    obeyedFile = spool.resolve(OBEYED);
    if (Files.exists(obeyedFile)) {
      for (String line : Files.readAllLines(obeyedFile, StandardCharsets.US_ASCII)) {
        String[] parts = line.split(" ", 2);
        if (parts.length == 2 && parts[0].matches("[0-9]{1,18}")) {
          obeyed.put(parts[1], Long.parseLong(parts[0]));
        }
      }
    }
  }

  /**
   * What a node trusts.
   *
   * @param spool of the node
   * @param unproven how many controllers there are whose connections prove nothing; 0 when they do
   * @throws IOException when a file cannot be read or holds no key
   */
  public static LaunchTrust of(Path configFile, Path spool, int unproven) throws IOException {
    Files.createDirectories(spool);
    Path file = configFile.resolveSibling(LaunchKey.PUBLIC_NAME);
    if (Files.exists(file)) {
      List<byte[]> keys = LaunchKey.blocks(file, "PUBLIC KEY");
      if (keys.isEmpty()) {
        throw new IOException(file + " holds no public key in PEM form");
      }
      return new LaunchTrust(file, keys, spool, 0);
    }
    Path known = spool.resolve(KEYS);
    List<byte[]> keys = new ArrayList<>();
    if (unproven > 0 && Files.exists(known)) {
      for (String line : Files.readAllLines(known, StandardCharsets.US_ASCII)) {
        keys.add(HexFormat.of().parseHex(line.strip()));
      }
    }
    return new LaunchTrust(null, keys, spool, unproven);
  }

  /** Another connection begins, maybe to another controller. */
  public void newConnection() {
    ofConnection = null;
  }

  /**
   * Whether bytes are signed by a controller.
   *
   * @return null when they are, else why not
   */
  public @Nullable String refusal(byte[] key, byte[] what, byte[] signature) throws IOException {
    if (!LaunchKey.isSigned(key, what, signature)) {
      return "its signature is wrong";
    }
    if (trusted.stream().anyMatch(each -> Arrays.equals(each, key))) {
      return null;
    }
    if (given != null) {
      return "it is signed with a key that is not in " + given;
    }
    if (most > 0) {
      if (trusted.size() >= most) {
        return "it is signed with another key than before; when the controller has a new one,"
            + " remove "
            + known;
      }
      trusted.add(key);
      Files.writeString(
          known,
          HexFormat.of().formatHex(key) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
      return null;
    }
    if (ofConnection == null) {
      ofConnection = key;
    }
    return Arrays.equals(ofConnection, key)
        ? null
        : "it is signed with another key than the first of this connection";
  }

  /**
   * Notes that a credential is obeyed; outlives the daemon.
   *
   * @return false when it was obeyed before
   */
  public boolean isFirst(byte[] number, Instant ends, Instant now) throws IOException {
    boolean hadOld = obeyed.values().removeIf(end -> end < now.toEpochMilli());
    String name = HexFormat.of().formatHex(number);
    if (obeyed.putIfAbsent(name, ends.toEpochMilli()) != null) {
      return false;
    }
    if (hadOld) {
      StringBuilder all = new StringBuilder();
      obeyed.forEach((each, end) -> all.append(end + " " + each + "\n"));
      Files.writeString(obeyedFile, all, StandardCharsets.US_ASCII);
    } else {
      Files.writeString(
          obeyedFile,
          ends.toEpochMilli() + " " + name + "\n",
          StandardCharsets.US_ASCII,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
    return true;
  }
}
