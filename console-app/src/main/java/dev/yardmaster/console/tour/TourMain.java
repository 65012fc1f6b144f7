package dev.yardmaster.console.tour;

import dev.yardmaster.console.ConsoleOptions.Language;
import dev.yardmaster.console.connect.Connector;
import dev.yardmaster.console.connect.ServerConnector;
import dev.yardmaster.console.theme.Theme;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import javafx.application.Platform;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code yardmaster tour}. */
@Command(
    name = "yardmaster tour",
    description = "Writes a picture of every view, without a display.",
    mixinStandardHelpOptions = true)
public final class TourMain implements Callable<Integer> {
  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Folder to write the pictures to; it is made if there is none.")
  private @Nullable Path out;

  @Option(
      names = "--theme",
      paramLabel = "dark|light",
      description = "Theme of the pictures; dark unless given.")
  private Theme theme = Theme.DARK;

  @Option(
      names = "--lang",
      paramLabel = "en|es",
      description = "Language of the pictures; en unless given.")
  private Language lang = Language.EN;

  @Option(
      names = "--connect",
      paramLabel = "HOST:PORT",
      description = "Server whose cluster is shown; the sample cluster unless given.")
  private @Nullable String connect;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Private token of the server; else the file that YARDMASTER_TOKEN_FILE names.")
  private @Nullable Path tokenFile;

  private TourMain() {}

  /**
   * Writes the pictures and ends the process: 0 when all are written, 1 when not, 2 on bad options.
   */
  public static void main(String[] args) {
    CommandLine line =
        new CommandLine(new TourMain())
            .setCommandName("yardmaster tour")
            .setCaseInsensitiveEnumValuesAllowed(true);
    line.setParameterExceptionHandler(
        (problem, ignored) -> {
          System.err.println(
              "yardmaster tour: "
                  + problem.getMessage()
                  + "; yardmaster tour --help tells the options");
          return CommandLine.ExitCode.USAGE;
        });
    System.exit(line.execute(args));
  }

  @Override
  public Integer call() throws InterruptedException {
    Path folder = Objects.requireNonNull(out, "picocli requires it");
    try {
      tell(Tour.run(folder, theme, lang.locale(), "", stops()));
      if (connect != null) {
        Connector server = new ServerConnector(Optional.of(connect), tokenFile, System::getenv);
        tell(new ClusterTour(folder, theme, lang.locale(), "").run(server));
      }
      return CommandLine.ExitCode.OK;
    } catch (IOException e) {
      System.err.println("yardmaster tour: " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    } finally {
      Platform.exit();
    }
  }

  private static void tell(List<Path> files) {
    files.forEach(System.out::println);
  }

  private static List<TourStop> stops() {
    return FrameStops.all();
  }
}
