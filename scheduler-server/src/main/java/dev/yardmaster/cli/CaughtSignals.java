package dev.yardmaster.cli;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;

/**
 * Catches signals of this process. The class that Java has for it is named by no module of the
 * standard, so it is looked up; where it is missing, signals end the process as always.
 */
public final class CaughtSignals {
  private static final List<String> NAMES = List.of("INT", "TERM", "HUP");

  private CaughtSignals() {}

  /** Hands over what ends a command otherwise. */
  static void hand(Consumer<String> handler) {
    NAMES.forEach(name -> hand(name, handler));
  }

  /** Hands over one signal, on a thread of its own. */
  public static void hand(String name, Consumer<String> handler) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> type = Class.forName("sun.misc.SignalHandler");
      Object caught =
          Proxy.newProxyInstance(
              CaughtSignals.class.getClassLoader(),
              new Class<?>[] {type},
              (self, method, arguments) -> {
                switch (method.getName()) {
                  case "handle" -> handler.accept(name);
                  case "equals" -> {
                    return self == arguments[0];
                  }
                  case "hashCode" -> {
                    return System.identityHashCode(self);
                  }
                  default -> {
                    return "handler of " + name;
                  }
                }
                return null;
              });
      signal
          .getMethod("handle", signal, type)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), caught);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      // This Java has no such class, or keeps the signal for itself.
      return;
    }
  }
}
