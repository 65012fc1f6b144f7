package dev.yardmaster.cli;

import java.io.IOException;
import java.nio.file.FileSystems;

/** Users of this machine. */
final class Users {
  private Users() {}

  /** Whether a name, or a number, is a user here. */
  static boolean exists(String name) {
    try {
      FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(name);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
