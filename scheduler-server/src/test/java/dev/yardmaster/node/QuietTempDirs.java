package dev.yardmaster.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Makes the directories of tests, and sees to it that nothing writes there any more when they are
 * deleted: steps outlive their daemon by design, also that of a test which has ended.
 */
public final class QuietTempDirs implements TempDirFactory {
  /** For JUnit, by its name in junit-platform.properties. */
  public QuietTempDirs() {}

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
      throws IOException {
    Path directory = Files.createTempDirectory("junit-");
    // What is put into a store later is closed before what was put there earlier; the directory's
    // own entry, whose end deletes it, is there already.
    AutoCloseable quiet = () -> Leftovers.clear(directory);
    context
        .getStore(ExtensionContext.Namespace.create(QuietTempDirs.class, directory))
        .put("quiet", quiet);
    return directory;
  }
}
