package dev.yardmaster.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The checkout that the tests run in, found from the module folder that Maven starts them in. */
final class Checkout {
  /** What is made by builds and editors, and so belongs to nobody's rules. */
  private static final Set<String> NOT_OURS =
      Set.of("target", ".git", ".idea", ".vscode", ".settings");

  private Checkout() {}

  /** The top folder: the one with the launcher. */
  static Path root() {
    Path start = Path.of("").toAbsolutePath();
    for (Path dir = start; dir != null; dir = dir.getParent()) {
      if (Files.isRegularFile(dir.resolve("yardmaster"))) {
        return dir;
      }
    }
    throw new IllegalStateException(start + " is in no checkout: no launcher above it");
  }

  /** All files of the checkout, built ones left out, in a fixed order. */
  static List<Path> files() {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          root(),
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
              return NOT_OURS.contains(dir.getFileName().toString())
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              // In a second worktree of Git, .git is a file.
              if (attributes.isRegularFile() && !NOT_OURS.contains(file.getFileName().toString())) {
                found.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    found.sort(null);
    return found;
  }

  /** The Java sources of all modules, those of tests included. */
  static List<Path> javaFiles() {
    return files().stream().filter(file -> file.toString().endsWith(".java")).toList();
  }

  /** The Java sources that the product is made of. */
  static List<Path> mainFiles() {
    return javaFiles().stream()
        .filter(file -> file.toString().replace('\\', '/').contains("/src/main/java/"))
        .toList();
  }

  /** The text of a file; nothing if it is not UTF-8, such as a picture. */
  static Optional<String> text(Path file) {
    try {
      return Optional.of(Files.readString(file));
    } catch (MalformedInputException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How a file is named in a message: from the top folder. */
  static String name(Path file) {
    return root().relativize(file).toString();
  }
}
