package dev.yardmaster.golden;

import dev.yardmaster.cli.Machine;
import dev.yardmaster.client.Credential;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The users of the machine that the cases were recorded on. */
record RecordedMachine(String user) implements Machine {
  private static final List<String> PEOPLE =
      List.of("alice", "bob", "carol", "dave", "erin", "frank");
  private static final List<String> OTHERS =
      List.of("root", "nobody", "slurm", "mail", "news", "daemon", "bin");

  @Override
  public Credential caller(Function<String, @Nullable String> environment, Path config) {
    return credential(user);
  }

  @Override
  public @Nullable Credential find(String name) {
    return hasUser(name) ? credential(name) : null;
  }

  private static Credential credential(String user) {
    int uid =
        switch (user) {
          case "root" -> 0;
          case "mail" -> 8;
          case "news" -> 9;
          case "nobody" -> 65_534;
          default -> 1001 + PEOPLE.indexOf(user);
        };
    return new Credential(user, uid, user.equals("nobody") ? "nogroup" : user, uid, null);
  }

  @Override
  public boolean hasUser(String name) {
    return PEOPLE.contains(name) || OTHERS.contains(name) || name.matches("\\d+");
  }
}
