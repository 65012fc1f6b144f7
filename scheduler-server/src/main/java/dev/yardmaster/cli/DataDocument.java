package dev.yardmaster.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.ControllerFinder;
import dev.yardmaster.client.Credential;
import dev.yardmaster.server.Versions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What --json and --yaml print, in the structure of Slurm's data_parser/v0.0.46. */
final class DataDocument {
  private static final String PREFIX = "data_parser/";
  private static final String PARSER = PREFIX + "v0.0.46";

  /** What {@code --json=list} tells, in the order of Slurm's plugins. */
  private static final List<String> PARSERS = List.of("v0.0.43", "v0.0.45", "v0.0.44", "v0.0.46");

  /** Flags behind the name of a parser; they change nothing here. */
  private static final Set<String> FLAGS =
      Set.of("NONE", "SPEC_ONLY", "FAST", "COMPLEX", "INLINE_ENUMS", "INLINE_REFS", "PREFER_REFS");

  private final JsonGenerator out;

  private final List<String> warnings = new ArrayList<>();

  private DataDocument(JsonGenerator out) {
    this.out = out;
  }

  /** Writes what a document is about. */
  @FunctionalInterface
  interface Body {
    void write(DataDocument to) throws IOException;
  }

  /** Whether a command line asks for data. */
  static boolean isAsked(GetOpt.Parsed parsed) {
    return parsed.has("json") || parsed.has("yaml");
  }

  /**
   * Checks what follows {@code --json=}: the name of Slurm's parser of data, or {@code list}.
   *
   * @throws CommandFailure with what there is, for anything else
   */
  static void check(String program, String parser, boolean json, Io io) throws CommandFailure {
    check(program, parser, json, 1, io);
  }

  /**
   * Checks the parser that {@code --json=} or {@code --yaml=} names.
   *
   * @param exitCode of a command that cannot use it
   */
  static void check(String program, String parser, boolean json, int exitCode, Io io)
      throws CommandFailure {
    String[] words = parser.split("\\+", -1);
    if (words[0].equals("list")) {
      io.out().println("Possible data_parser plugins:");
      PARSERS.forEach(known -> io.out().println(PREFIX + known));
      throw new CommandFailure(0, List.of());
    }
    if (!words[0].isEmpty() && !PARSERS.contains(words[0])) {
      throw new CommandFailure(
          exitCode,
          program + ": error: load_plugins: unable to find plugin: " + PREFIX + words[0],
          program
              + ": error: data_parser_g_new: failure loading plugins: Plugin has invalid format or"
              + " unable to be loaded",
          program
              + ": error: application/"
              + (json ? "json" : "x-yaml")
              + " output not supported by "
              + PARSER);
    }
    for (int i = 1; i < words.length; i++) {
      if (!FLAGS.contains(words[i].toUpperCase(Locale.ROOT))) {
        String name = words[0].isEmpty() ? PARSER : PREFIX + words[0];
        io.err().println(program + ": warning: " + name + " ignoring unknown flag " + words[i]);
      }
    }
  }

  /** Checks the parser that a command line names, if it asks for data at all. */
  static void check(String program, GetOpt.Parsed parsed, int exitCode, Io io)
      throws CommandFailure {
    for (String form : List.of("json", "yaml")) {
      String parser = parsed.last(form);
      if (parser != null) {
        check(program, parser, form.equals("json"), exitCode, io);
      }
    }
  }

  /** Whether the parser named is one before {@value #PARSER}. */
  static boolean isOlder(GetOpt.Parsed parsed) {
    String parser = parsed.has("json") ? parsed.last("json") : parsed.last("yaml");
    return parser != null && parser.matches("v0\\.0\\.4[345](\\+.*)?");
  }

  /** The command line as it was given. */
  static List<String> command(String program, GetOpt.Parsed parsed) {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(parsed.arguments());
    return command;
  }

  /**
   * Writes a document.
   *
   * @param yaml whether as YAML rather than as JSON
   * @param command the command line that asked
   */
  static void print(boolean yaml, List<String> command, ClusterView view, Io io, Body body) {
    print(yaml, command, view.info() == null ? "" : view.info().cluster(), io, body);
  }

  /**
   * Writes a document.
   *
   * @param cluster whose cluster it tells of
   */
  static void print(boolean yaml, List<String> command, String cluster, Io io, Body body) {
    JsonFactory factory =
        yaml ? new YAMLFactory() : new JsonFactory().setCharacterEscapes(new JsonLayout.Escapes());
    try (JsonGenerator generator = factory.createGenerator(io.out())) {
      if (!yaml) {
        generator.setPrettyPrinter(new JsonLayout());
      }
      DataDocument document = new DataDocument(generator);
      generator.writeStartObject();
      body.write(document);
      document.meta(command, cluster, io);
      document.list("errors", List.of());
      document.objects(
          "warnings",
          document.warnings,
          (to, warning) -> {
            to.text("description", warning);
            to.text("source", "");
          });
      generator.writeEndObject();
      if (!yaml) {
        generator.writeRaw('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Says something at the end of the document that its reader should know. */
  void warn(String text) {
    warnings.add(text);
  }

  JsonGenerator out() {
    return out;
  }

  private static String parser(List<String> command) {
    String parser = PARSER;
    for (String word : command) {
      if (word.startsWith("--json=v") || word.startsWith("--yaml=v")) {
        parser = PREFIX + word.substring("--json=".length());
      }
    }
    return parser;
  }

  private static @Nullable Credential caller(Io io) {
    try {
      return io.machine().caller(io::variable, ControllerFinder.configFile(io::variable));
    } catch (ClientException e) {
      return null;
    }
  }

  private void meta(List<String> command, String cluster, Io io) throws IOException {
    out.writeObjectFieldStart("meta");
    out.writeObjectFieldStart("plugin");
    text("type", "");
    text("name", "");
    text("data_parser", parser(command));
    text("accounting_storage", "accounting_storage/slurmdbd");
    out.writeEndObject();
    Credential caller = caller(io);
    out.writeObjectFieldStart("client");
    text("source", "");
    text("user", caller == null ? "" : caller.user());
    text("group", caller == null ? "" : caller.group());
    out.writeEndObject();
    list("command", command);
    String[] version = Versions.SLURM.split("[.-]");
    out.writeObjectFieldStart("slurm");
    out.writeObjectFieldStart("version");
    text("major", version[0]);
    text("micro", version[2]);
    text("minor", version[1]);
    out.writeEndObject();
    text("release", Versions.SLURM);
    text("cluster", cluster);
    out.writeEndObject();
    out.writeEndObject();
  }

  void text(String name, @Nullable String value) throws IOException {
    out.writeStringField(name, value == null || value.equals(JobFacts.NULL) ? "" : value);
  }

  void number(String name, long value) throws IOException {
    out.writeNumberField(name, value);
  }

  void list(String name, Collection<String> values) throws IOException {
    out.writeArrayFieldStart(name);
    for (String value : values) {
      out.writeString(value);
    }
    out.writeEndArray();
  }

  /** Instants are whole seconds, 0 when there is none. */
  void time(String name, @Nullable Instant instant) throws IOException {
    set(name, instant == null ? 0L : instant.getEpochSecond());
  }

  /** A number of which Slurm says whether it was set. */
  void set(String name, @Nullable Long value) throws IOException {
    of(name, value != null, false, value == null ? 0 : value);
  }

  /** A limit: below 0 there is none. */
  void limit(String name, long value) throws IOException {
    of(name, value >= 0, value < 0, Math.max(0, value));
  }

  private void of(String name, boolean set, boolean infinite, long number) throws IOException {
    out.writeObjectFieldStart(name);
    out.writeBooleanField("set", set);
    out.writeBooleanField("infinite", infinite);
    out.writeNumberField("number", number);
    out.writeEndObject();
  }

  /** A limit of which null says that there is none. */
  void bound(String name, @Nullable Long value) throws IOException {
    of(name, value != null, value == null, value == null ? 0 : value);
  }

  /** A number with a fraction, of which Slurm says whether it was set or has no end. */
  void fraction(String name, boolean set, boolean infinite, double number) throws IOException {
    out.writeObjectFieldStart(name);
    out.writeBooleanField("set", set);
    out.writeBooleanField("infinite", infinite);
    out.writeNumberField("number", number);
    out.writeEndObject();
  }

  /** An object within this one. */
  void object(String name, Body body) throws IOException {
    out.writeObjectFieldStart(name);
    body.write(this);
    out.writeEndObject();
  }

  /** A list of objects. */
  <T> void objects(String name, Collection<T> values, Entry<T> entry) throws IOException {
    out.writeArrayFieldStart(name);
    for (T value : values) {
      out.writeStartObject();
      entry.write(this, value);
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  /** Writes one of several things. */
  @FunctionalInterface
  interface Entry<T> {
    void write(DataDocument to, T value) throws IOException;
  }
}
