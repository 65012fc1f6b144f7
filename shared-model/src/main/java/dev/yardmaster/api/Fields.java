package dev.yardmaster.api;

import com.google.protobuf.Timestamp;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How single values travel. */
final class Fields {
  private Fields() {}

  /** Whole seconds; fractions are cut off. */
  static long seconds(Instant instant) {
    return instant.getEpochSecond();
  }

  static @Nullable Instant instant(boolean present, long seconds) {
    return present ? Instant.ofEpochSecond(seconds) : null;
  }

  static Timestamp timestamp(Instant instant) {
    return Timestamp.newBuilder()
        .setSeconds(instant.getEpochSecond())
        .setNanos(instant.getNano())
        .build();
  }

  static Instant instant(Timestamp timestamp) {
    return Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos());
  }

  static @Nullable Instant instant(boolean present, Timestamp timestamp) {
    return present ? instant(timestamp) : null;
  }

  static <E extends Enum<E>> E word(Class<E> type, String name) {
    try {
      return Enum.valueOf(type, name);
    } catch (IllegalArgumentException e) {
      throw new WireException(
          "unknown "
              + type.getSimpleName()
              + " \""
              + name
              + "\": the other side is of another version of Yardmaster");
    }
  }

  static <E extends Enum<E>> Set<E> words(Class<E> type, List<String> names) {
    EnumSet<E> set = EnumSet.noneOf(type);
    names.forEach(name -> set.add(word(type, name)));
    return set;
  }

  static List<String> names(Collection<? extends Enum<?>> words) {
    return words.stream().<String>map(Enum::name).toList();
  }

  static String hosts(HostList hosts) {
    return hosts.isEmpty() ? "" : hosts.toString();
  }

  static HostList hosts(String text) {
    return text.isEmpty() ? HostList.EMPTY : HostList.parse(text);
  }

  static IndexSet indices(String text) {
    return text.isEmpty() ? IndexSet.EMPTY : IndexSet.parse(text);
  }
}
