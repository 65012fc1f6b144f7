package dev.yardmaster.console;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/** Runs parts of tests on the JavaFX thread, where alone controls may be made. */
public final class OnFx {
  private OnFx() {}

  /** Starts JavaFX if need be and gives what {@code work} gives on its thread. */
  public static <T> T call(Callable<T> work) throws Exception {
    FxToolkit.registerPrimaryStage();
    return WaitForAsyncUtils.waitFor(20, TimeUnit.SECONDS, WaitForAsyncUtils.asyncFx(work));
  }

  /** Starts JavaFX if need be and runs {@code work} on its thread. */
  public static void run(Runnable work) throws Exception {
    call(
        () -> {
          work.run();
          return true;
        });
  }
}
