package dev.yardmaster.journal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Says what is wrong with a file where Java gives no more than its name. */
public final class FileProblem {
  private FileProblem() {}

  /** The message of an exception, with the cause in words; one line. */
  public static String of(IOException e) {
    String message = String.valueOf(e.getMessage());
    if (!(e instanceof FileSystemException file) || file.getReason() != null) {
      return message;
    }
    return switch (file) {
      case AccessDeniedException _ -> message + ": permission denied";
      case FileAlreadyExistsException _ -> message + ": exists and is no folder";
      case NoSuchFileException _ -> message + ": does not exist";
      case NotDirectoryException _ -> message + ": is no folder";
      default -> message;
    };
  }
}
