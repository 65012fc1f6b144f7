package dev.yardmaster.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules for every source file of the checkout. */
class SourcesTest {
  /** A file longer than this holds more than one idea. */
  private static final int MOST_LINES = 500;

  // Put together from parts, so that this file does not break its own rule.
  private static final Pattern LEFT_OVER =
      Pattern.compile("\\b(TO" + "DO|FIX" + "ME|X" + "XX)\\b|(?<![\\w.])/(wo" + "rk|fa" + "rm)/");

  @Test
  void javaSourcesAreFormattedByGoogleJavaFormat() {
    Formatter formatter = new Formatter();
    assertThat(Checkout.javaFiles().parallelStream().filter(file -> !formatted(formatter, file)))
        .extracting(Checkout::name)
        .as("files to format with ./yardmaster format")
        .isEmpty();
  }

  private static boolean formatted(Formatter formatter, Path file) {
    String source = Checkout.text(file).orElseThrow();
    try {
      String ordered =
          ImportOrderer.reorderImports(
              RemoveUnusedImports.removeUnusedImports(source), JavaFormatterOptions.Style.GOOGLE);
      return source.equals(formatter.formatSource(ordered));
    } catch (FormatterException e) {
      throw new AssertionError(Checkout.name(file) + ": " + e.getMessage(), e);
    }
  }

  @Test
  void nothingIsLeftToDoAndNoPathOfOneMachineIsWrittenDown() {
    assertThat(Checkout.files().stream().flatMap(SourcesTest::leftOvers)).isEmpty();
  }

  private static Stream<String> leftOvers(Path file) {
    List<String> lines = Checkout.text(file).map(text -> text.lines().toList()).orElse(List.of());
    List<String> found = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (LEFT_OVER.matcher(lines.get(i)).find()) {
        found.add(Checkout.name(file) + ":" + (i + 1) + ": " + lines.get(i).strip());
      }
    }
    return found.stream();
  }

  @Test
  void noSourceFileIsLongerThanOneIdea() {
    assertThat(Checkout.mainFiles())
        .filteredOn(file -> Checkout.text(file).orElseThrow().lines().count() > MOST_LINES)
        .extracting(Checkout::name)
        .as("files of more than %d lines", MOST_LINES)
        .isEmpty();
  }

  @Test
  void everyPackageSaysWhatItIsAndThatNothingIsNullUnlessMarked() {
    assertThat(Checkout.mainFiles().stream().map(Path::getParent).distinct())
        .filteredOn(dir -> !nullMarked(dir.resolve("package-info.java")))
        .extracting(Checkout::name)
        .as("packages without a package-info.java with @NullMarked")
        .isEmpty();
  }

  private static boolean nullMarked(Path packageInfo) {
    return Files.exists(packageInfo)
        && Checkout.text(packageInfo).orElseThrow().contains("@NullMarked");
  }
}
