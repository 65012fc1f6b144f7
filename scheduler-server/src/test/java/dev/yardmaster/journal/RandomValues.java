package dev.yardmaster.journal;

import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.text.Dependency;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.HostList;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes values of any record of the model, with zero, empty and null as often as anything else. */
final class RandomValues {
  private static final List<String> WORDS =
      List.of(
          "",
          " ",
          "a b",
          "quote\" \\ \n\u0001",
          "größe ☃ 🚂",
          "\\ud800 written out \ud55c",
          "null",
          "n[1-3]",
          "x");
  private final Random random;

  RandomValues(long seed) {
    random = new Random(seed);
  }

  <T extends Record> T record(Class<T> type) {
    RecordComponent[] components = type.getRecordComponents();
    @Nullable Object[] values = new @Nullable Object[components.length];
    Class<?>[] types = new Class<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = value(components[i].getAnnotatedType());
    }
    try {
      Constructor<T> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw new AssertionError(type + " " + Arrays.toString(values), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private @Nullable Object value(AnnotatedType annotated) {
    if (annotated.isAnnotationPresent(Nullable.class) && random.nextInt(3) == 0) {
      return null;
    }
    Class<?> type =
        annotated.getType() instanceof ParameterizedType p
            ? (Class<?>) p.getRawType()
            : (Class<?>) annotated.getType();
    if (annotated instanceof AnnotatedParameterizedType p) {
      return collection(type, p.getAnnotatedActualTypeArguments());
    }
    if (type.isRecord() && type != Dependency.class && type != FeatureExpression.class) {
      return record(type.asSubclass(Record.class));
    }
    if (type.isSealed()) {
      Class<?>[] forms = type.getPermittedSubclasses();
      return record(forms[random.nextInt(forms.length)].asSubclass(Record.class));
    }
    if (type.isEnum()) {
      Object[] constants = type.getEnumConstants();
      return constants[random.nextInt(constants.length)];
    }
    return scalar(type);
  }

  private Object collection(Class<?> type, AnnotatedType[] arguments) {
    int size = random.nextInt(3);
    if (type == SortedMap.class) {
      SortedMap<Object, Object> map = new TreeMap<>(Comparator.comparing(Object::toString));
      for (int i = 0; i < size; i++) {
        map.put(nonNull(arguments[0]), nonNull(arguments[1]));
      }
      return map;
    }
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      list.add(nonNull(arguments[0]));
    }
    if (type == Set.class) {
      return new TreeSet<>(list);
    }
    return list;
  }

  private Object nonNull(AnnotatedType type) {
    Object value = value(type);
    if (value == null) {
      throw new AssertionError("an element may not be null: " + type);
    }
    return value;
  }

  private Object scalar(Class<?> type) {
    int choice = random.nextInt(3);
    if (type == int.class || type == Integer.class) {
      return choice == 0 ? 0 : random.nextInt(2_000_000) - 1;
    }
    if (type == long.class || type == Long.class) {
      return choice == 0 ? 0L : random.nextLong(1L << 52) - 1;
    }
    if (type == double.class || type == Double.class) {
      return choice == 0 ? 0.0 : random.nextDouble() * 1e6;
    }
    if (type == boolean.class || type == Boolean.class) {
      return random.nextBoolean();
    }
    if (type == String.class) {
      return WORDS.get(random.nextInt(WORDS.size()));
    }
    if (type == Instant.class) {
      return Instant.ofEpochSecond(random.nextInt(Integer.MAX_VALUE), choice == 0 ? 0 : 123_000);
    }
    if (type == Duration.class) {
      return Duration.ofMillis(random.nextInt(100_000_000));
    }
    if (type == IndexSet.class) {
      return choice == 0 ? IndexSet.EMPTY : IndexSet.of(random.nextInt(9), random.nextInt(4000));
    }
    if (type == HostList.class) {
      return choice == 0 ? HostList.EMPTY : HostList.parse("n[1-3,007],gpu-a[1-2]b");
    }
    if (type == Dependency.class) {
      return Dependency.parse(choice == 0 ? "singleton" : "afterok:12:13_4,after:5+3");
    }
    if (type == FeatureExpression.class) {
      return FeatureExpression.parse(choice == 0 ? "a&b" : "[rack1*2&rack2*1]");
    }
    throw new AssertionError("no random value for " + type);
  }
}
