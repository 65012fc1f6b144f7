package dev.yardmaster.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.server.Versions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What --json and --yaml print, in the structure of Slurm's data_parser/v0.0.43. */
final class DataDocument {
  private static final String PARSER = "data_parser/v0.0.43";

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
  static void check(String program, String parser, boolean json) throws CommandFailure {
    if (PARSER.endsWith(parser.replaceFirst("\\+.*", "")) || parser.startsWith("v0.0.")) {
      return;
    }
    if (parser.equals("list")) {
      throw new CommandFailure(0, "Possible data_parser plugins:", PARSER);
    }
    throw new CommandFailure(
        1,
        program + ": error: load_plugins: unable to find plugin: data_parser/" + parser,
        program
            + ": error: data_parser_g_new: failure loading plugins: Plugin has invalid format or"
            + " unable to be loaded",
        program
            + ": error: application/"
            + (json ? "json" : "x-yaml")
            + " output not supported by "
            + PARSER);
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
    JsonFactory factory = yaml ? new YAMLFactory() : new JsonFactory();
    try (JsonGenerator generator = factory.createGenerator(io.out())) {
      if (!yaml) {
        generator.setPrettyPrinter(new DefaultPrettyPrinter());
      }
      DataDocument document = new DataDocument(generator);
      generator.writeStartObject();
      body.write(document);
      document.meta(command, cluster);
      document.list("errors", List.of());
      document.objects(
          "warnings",
          document.warnings,
          (to, warning) -> {
            to.text("description", warning);
            to.text("source", "");
          });
      generator.writeEndObject();
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

  private void meta(List<String> command, String cluster) throws IOException {
    out.writeObjectFieldStart("meta");
    out.writeObjectFieldStart("plugin");
    text("type", "");
    text("name", "");
    text("data_parser", PARSER);
    out.writeEndObject();
    list("command", command);
    String[] version = Versions.SLURM.split("\\.");
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
