package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.Credential;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a command knows of the machine it runs on: its users, and the one who runs the command. */
public interface Machine {
  /** This machine, and the user of this process. */
  Machine THIS =
      new Machine() {
        @Override
        public Credential caller(Function<String, @Nullable String> environment, Path config)
            throws ClientException.NotAuthenticated {
          return Credential.ofProcess(environment, config);
        }

        @Override
        public @Nullable Credential find(String name) {
          return UnixUsers.find(name);
        }

        @Override
        public boolean hasUser(String name) {
          try {
            FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(name);
            return true;
          } catch (IOException e) {
            return false;
          }
        }
      };

  /** Who runs the command, with the token that the environment or the configuration has. */
  Credential caller(Function<String, @Nullable String> environment, Path config)
      throws ClientException.NotAuthenticated;

  /** Whether a name, or a number, is a user here. */
  boolean hasUser(String name);

  /** Who a name, or a number, is here; null when nobody. */
  @Nullable Credential find(String name);
}
