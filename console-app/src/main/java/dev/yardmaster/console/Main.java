package dev.yardmaster.console;

import dev.yardmaster.console.tour.TourMain;
import java.util.Arrays;
import javafx.application.Application;

/** Starts the console, or with {@code tour} as the first argument the pictures of its views. */
public final class Main {
  private Main() {}

  /** Starts what the arguments ask for. */
  public static void main(String[] args) {
    if (args.length > 0 && args[0].equals("tour")) {
      TourMain.main(Arrays.copyOfRange(args, 1, args.length));
      return;
    }
    ConsoleOptions.answer(args).ifPresent(System::exit);
    Application.launch(ConsoleApp.class, args);
  }
}
