package dev.yardmaster.cli;

import dev.yardmaster.client.Credential;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs commands inside this process and keeps what they print. */
final class Captured {
  private final TreeMap<String, String> environment = new TreeMap<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private InputStream in = InputStream.nullInputStream();
  private Path directory = Path.of("/");
  private Instant now = Instant.EPOCH;
  private ZoneId zone = ZoneOffset.UTC;
  private boolean terminal;
  private Machine machine = Machine.THIS;

  Captured config(Path file) {
    environment.put("SLURM_CONF", file.toString());
    return this;
  }

  Captured set(String name, String value) {
    environment.put(name, value);
    return this;
  }

  Captured input(String text) {
    in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  Captured in(Path newDirectory) {
    directory = newDirectory;
    return this;
  }

  /** By the clock of this zone. */
  Captured in(ZoneId newZone) {
    zone = newZone;
    return this;
  }

  Captured at(Instant newNow) {
    now = newNow;
    return this;
  }

  /** From now on somebody else runs the commands. */
  Captured as(String user, int uid) {
    machine =
        new Machine() {
          @Override
          public Credential caller(Function<String, @Nullable String> variables, Path config) {
            return new Credential(user, uid, user, uid, null);
          }

          @Override
          public @Nullable Credential find(String name) {
            return Machine.THIS.find(name);
          }

          @Override
          public boolean hasUser(String name) {
            return name.equals(user) || Machine.THIS.hasUser(name);
          }
        };
    return this;
  }

  /** A person looks at the output. */
  Captured terminal() {
    terminal = true;
    return this;
  }

  /** Runs a command; what it prints replaces what an earlier one has printed. */
  int run(String name, String... arguments) {
    out.reset();
    err.reset();
    boolean atTerminal = terminal;
    return Cli.run(
        name,
        List.of(arguments),
        new Io(
            in,
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            environment,
            directory,
            zone,
            InstantSource.fixed(now),
            () -> atTerminal,
            machine));
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
