package dev.yardmaster.console.fx;

/** Work that must not run on the JavaFX thread. */
@FunctionalInterface
public interface BackgroundWork<T> {
  T run(Progress progress) throws Exception;
}
