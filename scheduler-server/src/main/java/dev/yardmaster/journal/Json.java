package dev.yardmaster.journal;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedField;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Topology;
import dev.yardmaster.model.text.Dependency;
import dev.yardmaster.model.text.Distribution;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.IntRanges;
import dev.yardmaster.model.text.JobId;
import java.io.IOException;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.time.Instant;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Records as JSON that outlives them: a component that is zero, empty or null is left out, one that
 * is not there gets that value back, and one that is not known is ignored. So a record may gain and
 * lose such components from version to version.
 */
final class Json {
  private Json() {}

  static ObjectMapper mapper() {
    SimpleModule texts = new SimpleModule("notations");
    text(texts, HostList.class, HostList::parse, HostList.EMPTY, HostList::isEmpty);
    text(texts, IndexSet.class, Json::indexSet, IndexSet.EMPTY, IndexSet::isEmpty);
    text(texts, Dependency.class, Dependency::parse, null, d -> false);
    text(texts, Distribution.class, Distribution::parse, null, d -> false);
    text(texts, FeatureExpression.class, FeatureExpression::parse, null, f -> false);
    text(texts, JobId.class, JobId::parse, null, j -> false);
    texts.addSerializer(Instant.class, new InstantWriter());
    texts.addDeserializer(Instant.class, new InstantReader());
    JsonMapper.Builder builder =
        JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .addModule(texts)
            .annotationIntrospector(new Components())
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .defaultPropertyInclusion(
                JsonInclude.Value.construct(
                    JsonInclude.Include.NON_DEFAULT, JsonInclude.Include.ALWAYS));
    for (Class<?> sealed : List.of(MemoryRequest.class, Topology.class)) {
      builder.addMixIn(sealed, Kind.class);
      for (Class<?> form : sealed.getPermittedSubclasses()) {
        builder.registerSubtypes(new NamedType(form, form.getSimpleName()));
      }
    }
    return builder.build();
  }

  private static IndexSet indexSet(String text) {
    BitSet bits = new BitSet();
    IntRanges.parse(text).stream().forEach(bits::set);
    return IndexSet.of(bits);
  }

  private static <T> void text(
      SimpleModule module,
      Class<T> type,
      Function<String, T> read,
      @Nullable T absent,
      Predicate<T> empty) {
    module.addSerializer(type, new TextWriter<>(type, empty));
    module.addDeserializer(type, new TextReader<>(type, read, absent));
  }

  /** Says which form of a sealed interface a record is. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  private interface Kind {}

  /** Tells components that may be null from those that may not, by {@code @Nullable}. */
  private static final class Components extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public JsonInclude.Value findPropertyInclusion(Annotated a) {
      return isNullable(a)
          ? JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS)
          : super.findPropertyInclusion(a);
    }

    @Override
    public JsonSetter.Value findSetterInfo(Annotated a) {
      Class<?> type = a.getRawType();
      boolean holds =
          Collection.class.isAssignableFrom(type)
              || Map.class.isAssignableFrom(type)
              || type == String.class;
      return holds && !isNullable(a)
          ? JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)
          : super.findSetterInfo(a);
    }

    private static boolean isNullable(Annotated a) {
      AnnotatedType type = annotatedType(a);
      return type != null && type.isAnnotationPresent(Nullable.class);
    }

    private static @Nullable AnnotatedType annotatedType(Annotated a) {
      return switch (a) {
        case AnnotatedField f -> f.getAnnotated().getAnnotatedType();
        case AnnotatedMethod m -> m.getAnnotated().getAnnotatedReturnType();
        case AnnotatedParameter p when p.getOwner().getAnnotated() instanceof Constructor<?> c ->
            c.getAnnotatedParameterTypes()[p.getIndex()];
        default -> null;
      };
    }
  }

  private static final class TextWriter<T> extends StdScalarSerializer<T> {
    private static final long serialVersionUID = 1L;
    private final transient Predicate<T> empty;

    TextWriter(Class<T> type, Predicate<T> empty) {
      super(type);
      this.empty = empty;
    }

    @Override
    public boolean isEmpty(SerializerProvider provider, T value) {
      return empty.test(value);
    }

    @Override
    public void serialize(T value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(value.toString());
    }
  }

  private static final class TextReader<T> extends StdScalarDeserializer<T> {
    private static final long serialVersionUID = 1L;
    private final transient Function<String, T> read;
    private final transient @Nullable T absent;

    TextReader(Class<T> type, Function<String, T> read, @Nullable T absent) {
      super(type);
      this.read = read;
      this.absent = absent;
    }

    @Override
    public @Nullable Object getAbsentValue(DeserializationContext context) {
      return absent;
    }

    @Override
    public T deserialize(JsonParser in, DeserializationContext context) throws IOException {
      String text = in.getText();
      try {
        return read.apply(text);
      } catch (IllegalArgumentException e) {
        throw context.weirdStringException(text, _valueClass, String.valueOf(e.getMessage()));
      }
    }
  }

  private static final class InstantWriter extends StdScalarSerializer<Instant> {
    private static final long serialVersionUID = 1L;

    InstantWriter() {
      super(Instant.class);
    }

    @Override
    public void serialize(Instant value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      if (value.getNano() == 0) {
        out.writeNumber(value.getEpochSecond());
      } else {
        out.writeString(value.toString());
      }
    }
  }

  private static final class InstantReader extends StdScalarDeserializer<Instant> {
    private static final long serialVersionUID = 1L;

    InstantReader() {
      super(Instant.class);
    }

    @Override
    public Instant deserialize(JsonParser in, DeserializationContext context) throws IOException {
      return in.currentToken().isNumeric()
          ? Instant.ofEpochSecond(in.getLongValue())
          : Instant.parse(in.getText());
    }
  }
}
