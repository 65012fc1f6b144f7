package dev.yardmaster.journal;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/**
 * Files of the state directory that hold scripts, environments and usage of users: whatever the
 * umask, only their owner reads them. SQLite gives the files beside a database its permissions.
 */
public final class PrivateFile {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final List<String> BESIDE = List.of("", "-wal", "-shm", "-journal");

  private PrivateFile() {}

  /**
   * Makes a database of SQLite private, and the files beside it, before it is opened; creates it
   * empty when there is none.
   *
   * @throws JournalException when that cannot be done
   */
  public static void database(Path file) {
    try {
      if (!hasPermissions(file)) {
        return;
      }
      try {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER));
      } catch (FileAlreadyExistsException e) {
        // Of an earlier start; what it lets others do is looked at below.
      }
      for (String suffix : BESIDE) {
        restrict(file.resolveSibling(file.getFileName() + suffix), OWNER);
      }
    } catch (IOException e) {
      throw new JournalException(file + " cannot be kept from others: " + e, e);
    }
  }

  /**
   * Makes a folder private, whose files may then have any permissions.
   *
   * @throws IOException when that cannot be done
   */
  public static void folder(Path folder) throws IOException {
    Files.createDirectories(folder);
    if (hasPermissions(folder)) {
      restrict(folder, FOLDER);
    }
  }

  private static void restrict(Path path, Set<PosixFilePermission> allowed) throws IOException {
    if (Files.exists(path) && !Files.getPosixFilePermissions(path).equals(allowed)) {
      Files.setPosixFilePermissions(path, allowed);
    }
  }

  private static boolean hasPermissions(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
