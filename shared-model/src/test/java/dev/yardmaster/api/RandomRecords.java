package dev.yardmaster.api;

import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.text.Dependency;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.HostList;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Random values of any record of the model, so that a component that is added later is covered
 * without a change here.
 */
final class RandomRecords {
  private static final List<String> TEXTS =
      List.of("", "gpu", "h100", "a b", "x|y=z", "línea\nzwei", "日本", "\"q\"", "é\u0301", "%j-%x");
  private static final List<String> HOSTS =
      List.of("", "n1", "n[1-3,007]", "r[1-2]n[01-16],login1", "t004-009-v[7-8]", "n3,n1");
  private static final List<String> FEATURES =
      List.of("a", "nvme-local&big", "[r1*2&r2*1]", "(a|b)&c", "a|b");
  private static final List<String> DEPENDENCIES =
      List.of("afterok:12", "after:3+10,afterany:4", "singleton", "afternotok:7_2?afterok:8");

  private final Random random;

  RandomRecords(long seed) {
    random = new Random(seed);
  }

  <T extends Record> T next(Class<T> type) {
    return type.cast(record(type));
  }

  private Object record(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    @Nullable Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = value(components[i].getAnnotatedType());
    }
    try {
      var constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(type.toString(), e);
    }
  }

  private @Nullable Object value(AnnotatedType annotated) {
    if (annotated.isAnnotationPresent(Nullable.class) && random.nextInt(3) == 0) {
      return null;
    }
    if (annotated instanceof AnnotatedParameterizedType parameterized
        && parameterized.getType() instanceof ParameterizedType type) {
      return container(type, parameterized.getAnnotatedActualTypeArguments());
    }
    return plain(annotated.getType());
  }

  private Object container(ParameterizedType type, AnnotatedType[] arguments) {
    int size = random.nextInt(4);
    if (type.getRawType() == List.class) {
      List<@Nullable Object> list = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        list.add(value(arguments[0]));
      }
      return list;
    }
    if (type.getRawType() == Set.class) {
      Set<@Nullable Object> set = new LinkedHashSet<>();
      for (int i = 0; i < size; i++) {
        set.add(value(arguments[0]));
      }
      return set;
    }
    if (type.getRawType() == SortedMap.class) {
      TreeMap<@Nullable Object, @Nullable Object> map = new TreeMap<>();
      for (int i = 0; i < size; i++) {
        map.put(value(arguments[0]), value(arguments[1]));
      }
      return map;
    }
    throw new AssertionError("no random value of " + type);
  }

  private Object plain(Type type) {
    if (!(type instanceof Class<?> raw)) {
      throw new AssertionError("no random value of " + type);
    }
    if (raw == int.class || raw == Integer.class) {
      return random.nextInt(5) == 0 ? -1 : random.nextInt(100_000);
    } else if (raw == long.class || raw == Long.class) {
      return random.nextInt(5) == 0 ? -1L : random.nextLong(1L << 40);
    } else if (raw == double.class || raw == Double.class) {
      return random.nextDouble() * 1e6;
    } else if (raw == boolean.class || raw == Boolean.class) {
      return random.nextBoolean();
    } else if (raw == String.class) {
      return pick(TEXTS);
    } else if (raw == Instant.class) {
      return Instant.ofEpochSecond(random.nextLong(4_000_000_000L));
    } else if (raw == Duration.class) {
      return Duration.ofMillis(random.nextInt(1_000_000));
    } else if (raw == ZoneId.class) {
      return ZoneId.of(pick(List.of("Europe/Madrid", "UTC", "Asia/Kathmandu", "+05:00")));
    } else if (raw == HostList.class) {
      String hosts = pick(HOSTS);
      return hosts.isEmpty() ? HostList.EMPTY : HostList.parse(hosts);
    } else if (raw == IndexSet.class) {
      return IndexSet.parse(pick(List.of("", "0", "0-3,7", "1,3,5-64")));
    } else if (raw == FeatureExpression.class) {
      return FeatureExpression.parse(pick(FEATURES));
    } else if (raw == Dependency.class) {
      return Dependency.parse(pick(DEPENDENCIES));
    } else if (raw.isEnum()) {
      return pick(List.of(raw.getEnumConstants()));
    } else if (raw.isSealed()) {
      return record(pick(List.of(raw.getPermittedSubclasses())));
    } else if (raw.isRecord()) {
      return record(raw);
    }
    throw new AssertionError("no random value of " + type);
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
