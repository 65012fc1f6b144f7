package dev.yardmaster.console;

import dev.yardmaster.console.theme.Appearance;
import dev.yardmaster.console.theme.Theme;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the console was started with; what is not given comes from the settings. */
@Command(name = "yardmaster", description = "Opens the console.", mixinStandardHelpOptions = true)
public final class ConsoleOptions {
  /** The languages that the console speaks. */
  public enum Language {
    EN,
    ES;

    /** The locale of this language. */
    public Locale locale() {
      return Locale.of(name().toLowerCase(Locale.ROOT));
    }
  }

  // Set by picocli before anything is called.
  @Spec private @Nullable CommandSpec spec;

  private @Nullable String connect;

  @Option(names = "--lang", paramLabel = "en|es", description = "Language of the console.")
  private @Nullable Language lang;

  @Option(names = "--theme", paramLabel = "dark|light", description = "Theme of the console.")
  private @Nullable Theme theme;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Private token of the server; else the file that YARDMASTER_TOKEN_FILE names.")
  private @Nullable Path tokenFile;

  private @Nullable Double fontSize;

  private ConsoleOptions() {}

  /**
   * Reads the options of a command line.
   *
   * @throws ParameterException if one is unknown or has a value that is not possible; its message
   *     names the option, the value and what would be right
   */
  public static ConsoleOptions parse(String... args) {
    ConsoleOptions options = new ConsoleOptions();
    options.commandLine().parseArgs(args);
    return options;
  }

  /**
   * Reads the options, or answers for them: prints help or the error.
   *
   * @return the exit code if the console is not to be opened: 0 after help, 2 after an error
   */
  static Optional<Integer> answer(String... args) {
    CommandLine line = new ConsoleOptions().commandLine();
    try {
      line.parseArgs(args);
    } catch (ParameterException e) {
      System.err.println("yardmaster: " + e.getMessage());
      return Optional.of(CommandLine.ExitCode.USAGE);
    }
    if (line.isUsageHelpRequested()) {
      line.usage(System.out);
      return Optional.of(CommandLine.ExitCode.OK);
    }
    return Optional.empty();
  }

  private CommandLine commandLine() {
    return new CommandLine(this).setCaseInsensitiveEnumValuesAllowed(true);
  }

  /** The server to connect to as {@code HOST:PORT}. */
  public Optional<String> connect() {
    return Optional.ofNullable(connect);
  }

  /** The file with the private token of the server. */
  public Optional<Path> tokenFile() {
    return Optional.ofNullable(tokenFile);
  }

  public Optional<Locale> locale() {
    return Optional.ofNullable(lang).map(Language::locale);
  }

  public Optional<Theme> theme() {
    return Optional.ofNullable(theme);
  }

  /** The font size in pixels. */
  public Optional<Double> fontSize() {
    return Optional.ofNullable(fontSize);
  }

  // Called by picocli.
  @Option(
      names = "--connect",
      paramLabel = "HOST:PORT",
      description = "Server to connect to, such as localhost:6817.")
  void setConnect(String address) {
    int colon = address.lastIndexOf(':');
    boolean port = colon > 0 && address.substring(colon + 1).matches("\\d{1,5}");
    if (!port || Integer.parseInt(address.substring(colon + 1)) > 65_535) {
      throw bad("--connect", address, "HOST:PORT, such as localhost:6817");
    }
    connect = address;
  }

  // Called by picocli.
  @Option(names = "--font-size", paramLabel = "9..20", description = "Size of text in pixels.")
  void setFontSize(double size) {
    if (size < Appearance.MIN_FONT_SIZE || size > Appearance.MAX_FONT_SIZE) {
      throw bad("--font-size", String.valueOf(size), "a number from 9 to 20");
    }
    fontSize = size;
  }

  private ParameterException bad(String option, String value, String right) {
    CommandLine line = spec == null ? commandLine() : spec.commandLine();
    return new ParameterException(
        line, "Invalid value for option '%s': '%s' is not %s".formatted(option, value, right));
  }
}
