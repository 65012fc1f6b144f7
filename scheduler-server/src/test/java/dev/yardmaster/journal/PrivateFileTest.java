package dev.yardmaster.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users submit is not for others to read, whatever the umask. */
class PrivateFileTest {
  private static final String OWNER = "rw-------";

  @TempDir private Path directory;

  private String permissions(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void allFilesOfAJournalAreTheOwnersAlone() throws Exception {
    SqliteJournal journal = SqliteJournal.open(directory);
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(f -> f.toString().contains("journal.db")).toList()) {
        assertThat(permissions(file)).as("%s", file).isEqualTo(OWNER);
      }
      assertThat(directory.resolve("journal.db-wal")).exists();
    } finally {
      journal.close();
    }
  }

  @Test
  void whatAnEarlierReleaseLeftOpenIsClosed() throws Exception {
    Path file = directory.resolve("journal.db");
    SqliteJournal.open(directory).close();
    Path beside = Files.createFile(directory.resolve("journal.db-shm"));
    for (Path path : new Path[] {file, beside}) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
    }
    PrivateFile.database(file);
    assertThat(permissions(file)).isEqualTo(OWNER);
    assertThat(permissions(beside)).isEqualTo(OWNER);
  }

  @Test
  void aFolderIsTheOwnersAlone() throws Exception {
    Path folder = directory.resolve("log");
    PrivateFile.folder(folder);
    assertThat(permissions(folder)).isEqualTo("rwx------");
  }
}
