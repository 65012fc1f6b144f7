package dev.yardmaster.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Lines and spaces of JSON as Slurm's commands print it: each value has a line of its own, and an
 * empty list or object is closed on the next one.
 */
final class JsonLayout extends DefaultPrettyPrinter {
  @Serial private static final long serialVersionUID = 1;

  JsonLayout() {
    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
    indentArraysWith(lines);
    indentObjectsWith(lines);
  }

  @Override
  public JsonLayout createInstance() {
    return new JsonLayout();
  }

  @Override
  public void writeObjectFieldValueSeparator(JsonGenerator to) throws IOException {
    to.writeRaw(": ");
  }

  @Override
  public void writeEndArray(JsonGenerator to, int values) throws IOException {
    _nesting--;
    _arrayIndenter.writeIndentation(to, _nesting);
    to.writeRaw(']');
  }

  @Override
  public void writeStartArray(JsonGenerator to) throws IOException {
    _nesting++;
    to.writeRaw('[');
  }

  @Override
  public void writeEndObject(JsonGenerator to, int entries) throws IOException {
    _nesting--;
    _objectIndenter.writeIndentation(to, _nesting);
    to.writeRaw('}');
  }

  /** A slash is written behind a backslash. */
  static final class Escapes extends CharacterEscapes {
    @Serial private static final long serialVersionUID = 1;

    private static final SerializedString SLASH = new SerializedString("\\/");

    private final int[] escapes = CharacterEscapes.standardAsciiEscapesForJSON();

    Escapes() {
      escapes['/'] = CharacterEscapes.ESCAPE_CUSTOM;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return escapes.clone();
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
      return character == '/' ? SLASH : null;
    }
  }
}
