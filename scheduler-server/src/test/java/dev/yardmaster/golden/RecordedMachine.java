package dev.yardmaster.golden;

import dev.yardmaster.cli.Machine;
import dev.yardmaster.client.Credential;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The users of the machine that the cases were recorded on. */
final class RecordedMachine implements Machine {
  private static final Pattern EXIT = Pattern.compile("\\bexit ([0-9]+)");

  private final String user;
  private final AtomicReference<@Nullable Consumer<String>> handler = new AtomicReference<>();

  RecordedMachine(String user) {
    this.user = user;
  }

  /** One after the other, so that each playback is like the last. */
  @Override
  public int requestsAtOnce() {
    return 1;
  }

  /** Lets a signal come to the command that runs. */
  void signal(String name) {
    Consumer<String> taker = handler.get();
    if (taker != null) {
      taker.accept(name);
    }
  }

  @Override
  public void onSignal(Consumer<String> newHandler) {
    handler.set(newHandler);
  }

  @Override
  public Child start(List<String> command, Map<String, String> environment, Path directory)
      throws IOException {
    if (command.getFirst().startsWith("/nonexistent") || command.getFirst().startsWith("-")) {
      throw new NoSuchFileException(command.getFirst());
    }
    Matcher exit = EXIT.matcher(String.join(" ", command));
    int exitCode = exit.find() ? Integer.parseInt(exit.group(1)) : 0;
    return new Child() {
      @Override
      public int join() {
        return exitCode;
      }

      @Override
      public void hangUp() {}
    };
  }

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
  public boolean hasGroup(String name) {
    return hasUser(name);
  }

  @Override
  public boolean hasUser(String name) {
    return PEOPLE.contains(name) || OTHERS.contains(name) || name.matches("\\d+");
  }
}
