package dev.yardmaster.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.yardmaster.engine.state.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/** Records to text and back, each with its name and a checksum. */
public final class Codec {
  /**
   * The form of the records. It rises only when a record changes in a way that a default for an
   * absent component cannot bridge; then {@link #upgrade} bridges it.
   */
  public static final int VERSION = 1;

  private static final Pattern AT = Pattern.compile("\\{\"at\":(?:(-?[0-9]+)|\"([^\"]*)\")[,}]");

  private final ObjectMapper mapper = Json.mapper();
  private final Map<Class<?>, ObjectReader> readers = new ConcurrentHashMap<>();
  private final Map<Class<?>, ObjectWriter> writers = new ConcurrentHashMap<>();
  private final Map<String, Class<? extends Event>> eventTypes = new HashMap<>();

  public Codec() {
    for (Class<?> type : Event.class.getPermittedSubclasses()) {
      eventTypes.put(type.getSimpleName(), type.asSubclass(Event.class));
    }
  }

  static String typeName(Event event) {
    return event.getClass().getSimpleName();
  }

  /**
   * The text of a record, as UTF-8.
   *
   * @throws JournalException for a text that UTF-8 cannot hold, rather than changing it
   */
  public byte[] write(Object value) {
    try {
      byte[] text =
          writers.computeIfAbsent(value.getClass(), mapper::writerFor).writeValueAsBytes(value);
      if (hasHalfCharacter(text)) {
        throw new JournalException("cannot be written, it is no valid Unicode: " + value);
      }
      return text;
    } catch (JsonProcessingException e) {
      throw new JournalException("cannot be written: " + e.getOriginalMessage(), e);
    }
  }

  /** Half of a surrogate pair, which JSON can only write as an escape. */
  private static boolean hasHalfCharacter(byte[] text) {
    for (int i = 0; i + 2 < text.length; i++) {
      if (text[i] == '\\') {
        if (text[i + 1] == 'u' && (text[i + 2] | 0x20) == 'd') {
          return true;
        }
        i++;
      }
    }
    return false;
  }

  Event readEvent(String place, String record, int version, String type, byte[] body) {
    Class<? extends Event> eventType = eventTypes.get(type);
    if (eventType == null) {
      throw new JournalException(
          place + ": record " + record + " has the unknown type " + type + newer(version));
    }
    return read(place, record, version, eventType, body);
  }

  /** When an event happened, which is the first that its text says. */
  Instant begin(String place, String record, String text) {
    Matcher at = AT.matcher(text);
    if (!at.lookingAt()) {
      throw new DamagedRecordException(place, record, "it does not begin with its time: " + text);
    }
    try {
      return at.group(1) != null
          ? Instant.ofEpochSecond(Long.parseLong(at.group(1)))
          : Instant.parse(at.group(2));
    } catch (DateTimeException | NumberFormatException e) {
      throw new DamagedRecordException(place, record, String.valueOf(e.getMessage()));
    }
  }

  /**
   * The record that a text is of.
   *
   * @param place the file, and {@code record} what it is in it, for messages
   * @throws DamagedRecordException when it is not what was written
   */
  public <T> T read(String place, String record, int version, Class<T> type, byte[] body) {
    if (version > VERSION) {
      throw new JournalException(place + ": record " + record + newer(version));
    }
    try {
      ObjectReader reader = readers.computeIfAbsent(type, mapper::readerFor);
      return reader.readValue(upgrade(body, version));
    } catch (IOException | IllegalArgumentException | NullPointerException e) {
      throw new DamagedRecordException(place, record, String.valueOf(e.getMessage()));
    }
  }

  /** Turns the text of an earlier form into the present one; there is no earlier form yet. */
  private static byte[] upgrade(byte[] body, int version) {
    if (version < 1) {
      throw new IllegalArgumentException("form " + version + " never existed");
    }
    return body;
  }

  private static String newer(int version) {
    return version > VERSION
        ? " was written by a newer release (form "
            + version
            + ", this one knows "
            + VERSION
            + "); start that release"
        : "";
  }

  /** Over everything of a record, so that a record at the wrong place does not pass either. */
  static long checksum(String key, int version, byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(key.getBytes(StandardCharsets.UTF_8));
    crc.update(0);
    crc.update(version);
    crc.update(body);
    return crc.getValue();
  }
}
