package dev.yardmaster.security;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who changed what, a line of JSON each, in a file that is only ever appended to. Each line carries
 * the hash of itself and the line before it (SHA-256), so that one that is changed, left out or put
 * in is found by {@link #verify}; what was cut off at the end is found by whoever kept the last
 * hash. Several may write.
 */
public final class AuditLog implements AutoCloseable {
  /** Name of the file in the state directory. */
  public static final String FILE_NAME = "audit.log";

  private static final String FIRST = "0".repeat(64);
  private static final String HASH = "hash";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path path;
  private final FileChannel file;
  private long size;
  private String last;

  /**
   * What was done.
   *
   * @param time as ISO 8601
   * @param user who, as the controller believes it
   * @param from how the caller came
   * @param what the command and what it was about
   * @param before what is different now, as it was
   * @param after the same as it is now
   * @param reason as the caller gave it; empty for none
   * @param answer {@code done}, or Slurm's error with which it was refused
   */
  public record Entry(
      String time,
      String user,
      int uid,
      String from,
      String what,
      String before,
      String after,
      String reason,
      String answer) {}

  /**
   * What a check found.
   *
   * @param lines that are in order
   * @param last the hash of the last of them
   * @param problem what is wrong with the next one; null when nothing is
   */
  public record Verdict(long lines, String last, @Nullable String problem) {}

  private AuditLog(Path path, FileChannel file, String last) throws IOException {
    this.path = path;
    this.file = file;
    this.size = file.size();
    this.last = last;
  }

  /**
   * Goes on with the log of a state directory. A line that the end of the process left unfinished
   * is cut off: nothing that it tells of was answered.
   *
   * @throws IOException when the file cannot be used
   */
  public static AuditLog open(Path stateDirectory) throws IOException {
    Path path = stateDirectory.resolve(FILE_NAME);
    if (Files.notExists(path)) {
      Files.createFile(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    String hash = lastHash(path);
    return new AuditLog(
        path,
        FileChannel.open(path, Set.of(StandardOpenOption.WRITE, StandardOpenOption.APPEND)),
        hash);
  }

  private static String lastHash(Path path) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(path.toFile(), "rw")) {
      long end = lineEnd(in, in.length());
      in.setLength(end);
      if (end == 0) {
        return FIRST;
      }
      long begin = lineEnd(in, end - 1);
      byte[] line = new byte[(int) (end - begin)];
      in.seek(begin);
      in.readFully(line);
      return JSON.readTree(new String(line, StandardCharsets.UTF_8)).path(HASH).asText(FIRST);
    } catch (JsonProcessingException e) {
      throw new IOException(path + ": its last line is damaged; yardmaster audit checks it", e);
    }
  }

  /** The position behind the last line break before a position; 0 for none. */
  private static long lineEnd(RandomAccessFile in, long before) throws IOException {
    for (long at = before - 1; at >= 0; at--) {
      in.seek(at);
      if (in.read() == '\n') {
        return at + 1;
      }
    }
    return 0;
  }

  /**
   * Appends an entry; it is on the disk when this returns.
   *
   * @throws UncheckedIOException when it cannot be written
   */
  public synchronized void write(Entry entry) {
    ObjectNode line = JSON.valueToTree(entry);
    try (FileLock _ = file.lock()) {
      if (file.size() != size) {
        // Another controller that shares the directory has written.
        last = lastHash(path);
      }
      String hash = hash(last, line.toString());
      line.put(HASH, hash);
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(line + "\n");
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      file.force(false);
      size = file.size();
      last = hash;
    } catch (IOException e) {
      throw new UncheckedIOException(FILE_NAME + " cannot be written", e);
    }
  }

  /**
   * Checks each line of a log from its first on.
   *
   * @param known the hash of a line that must be among them; null for none
   * @throws IOException when it cannot be read
   */
  public static Verdict verify(Path path, @Nullable String known) throws IOException {
    String hash = FIRST;
    long lines = 0;
    boolean isThere = known == null || known.equals(FIRST);
    try (BufferedReader in = Files.newBufferedReader(path)) {
      for (String text = in.readLine(); text != null; text = in.readLine()) {
        JsonNode line;
        try {
          line = JSON.readTree(text);
        } catch (JsonProcessingException e) {
          return new Verdict(lines, hash, "it is no JSON");
        }
        if (!(line instanceof ObjectNode object) || !object.path(HASH).isTextual()) {
          return new Verdict(lines, hash, "it has no hash");
        }
        String told = object.path(HASH).asText();
        object.remove(HASH);
        if (!hash(hash, object.toString()).equals(told)) {
          return new Verdict(lines, hash, "it was changed, or one before it is missing or put in");
        }
        hash = told;
        isThere |= hash.equals(known);
        lines++;
      }
    }
    return new Verdict(
        lines, hash, isThere ? null : "the line with the hash that is known is missing");
  }

  private static String hash(String before, String line) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(before.getBytes(StandardCharsets.US_ASCII));
      return HexFormat.of().formatHex(digest.digest(line.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
