package dev.yardmaster.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileProblemTest {
  @TempDir Path folder;

  private static String said(ThrowingCallable work) {
    return FileProblem.of(catchThrowableOfType(IOException.class, work));
  }

  @Test
  void aFileInPlaceOfAFolderIsCalledOne() throws IOException {
    Path file = Files.createFile(folder.resolve("state"));
    assertThat(said(() -> Files.createDirectories(file)))
        .isEqualTo(file + ": exists and is no folder");
  }

  @Test
  void whatIsMissingIsCalledMissing() {
    Path file = folder.resolve("none");
    assertThat(said(() -> Files.readString(file))).isEqualTo(file + ": does not exist");
  }

  @Test
  void aReasonThatIsGivenIsKept() {
    assertThat(FileProblem.of(new AccessDeniedException("x"))).isEqualTo("x: permission denied");
    assertThat(FileProblem.of(new FileSystemException("x", null, "Read-only file system")))
        .isEqualTo("x: Read-only file system");
    assertThat(FileProblem.of(new IOException("broken"))).isEqualTo("broken");
  }
}
