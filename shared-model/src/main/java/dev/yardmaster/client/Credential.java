package dev.yardmaster.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who the caller says to be, and the proof: the unix user of this process (auth/none, believed on
 * loopback only), with the private token when there is one.
 *
 * @param token content of the private token file, or a JSON web token; null without either
 */
public record Credential(String user, int uid, String group, int gid, @Nullable String token) {
  /** Variable that names the private token file. */
  public static final String TOKEN_FILE_VARIABLE = "YARDMASTER_TOKEN_FILE";

  /** Variable that holds a JSON web token, as Slurm's commands take it. */
  public static final String WEB_TOKEN_VARIABLE = "SLURM_JWT";

  /** Name of the private token file. */
  public static final String TOKEN_FILE = "private.token";

  private static final Path SELF = Path.of("/proc/self");

  /**
   * The user of this process, with the token file that the environment names, or else the one that
   * lies beside the configuration of a private server.
   */
  public static Credential ofProcess(
      Function<String, @Nullable String> environment, Path configFile)
      throws ClientException.NotAuthenticated {
    String shown = environment.apply(WEB_TOKEN_VARIABLE);
    if (shown != null && !shown.isEmpty()) {
      return unixUser().withToken(shown.strip());
    }
    String named = environment.apply(TOKEN_FILE_VARIABLE);
    Path beside = configFile.resolveSibling(TOKEN_FILE);
    if (named != null && !named.isEmpty()) {
      return ofProcess(Path.of(named));
    }
    return ofProcess(Files.isReadable(beside) ? beside : null);
  }

  /** The user of this process, with a private token file. */
  public static Credential ofProcess(@Nullable Path tokenFile)
      throws ClientException.NotAuthenticated {
    Credential user = unixUser();
    if (tokenFile == null) {
      return user;
    }
    try {
      return user.withToken(Files.readString(tokenFile).strip());
    } catch (IOException e) {
      throw new ClientException.NotAuthenticated(
          "private token file "
              + tokenFile
              + " cannot be read: only the owner of the server can use it",
          e);
    }
  }

  /** Without the token. */
  @Override
  public String toString() {
    return user + "(" + uid + "):" + group + "(" + gid + ")";
  }

  Credential withToken(String newToken) {
    return new Credential(user, uid, group, gid, newToken);
  }

  private static Credential unixUser() throws ClientException.NotAuthenticated {
    try {
      if (Files.exists(SELF)) {
        return ofOwner(SELF);
      }
      Path file = Files.createTempFile("yardmaster", ".uid");
      try {
        return ofOwner(file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException | UnsupportedOperationException e) {
      throw new ClientException.NotAuthenticated("cannot tell which user this process runs as", e);
    }
  }

  private static Credential ofOwner(Path path) throws IOException {
    Map<String, Object> ids = Files.readAttributes(path, "unix:uid,gid");
    PosixFileAttributes names = Files.readAttributes(path, PosixFileAttributes.class);
    if (ids.get("uid") instanceof Integer uid && ids.get("gid") instanceof Integer gid) {
      return new Credential(names.owner().getName(), uid, names.group().getName(), gid, null);
    }
    throw new IOException("no unix owner of " + path);
  }
}
