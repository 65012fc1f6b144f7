package dev.yardmaster.console.i18n;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BundlesTest {
  private static final Pattern ARGUMENT = Pattern.compile("\\{(\\d+)[,}]");

  static Stream<Class<?>> keys() {
    return new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.yardmaster.console")
            .stream()
            .filter(type -> type.isEnum() && type.isAssignableTo(TextKey.class))
            .map(JavaClass::reflect);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void everyLanguageHasEveryKeyAndNoOther(Class<?> type) throws IOException {
    Set<String> expected = new TreeSet<>();
    for (Object constant : type.getEnumConstants()) {
      expected.add(((TextKey) constant).key());
    }
    for (Locale language : Texts.LANGUAGES) {
      assertThat(new TreeSet<>(bundle(type, language).stringPropertyNames()))
          .as("%s in %s", type.getSimpleName(), language)
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("keys")
  void everyLanguageHasTheSameArguments(Class<?> type) throws IOException {
    Properties english = bundle(type, Locale.ENGLISH);
    for (Locale language : Texts.LANGUAGES) {
      Properties texts = bundle(type, language);
      for (String key : english.stringPropertyNames()) {
        assertThat(arguments(texts.getProperty(key)))
            .as("%s of %s in %s", key, type.getSimpleName(), language)
            .isEqualTo(arguments(english.getProperty(key)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("keys")
  void everyTextIsAPatternWithoutStraightApostrophes(Class<?> type) throws IOException {
    for (Locale language : Texts.LANGUAGES) {
      Properties texts = bundle(type, language);
      for (String key : texts.stringPropertyNames()) {
        String text = texts.getProperty(key);
        // A straight one starts a quotation in a pattern and would vanish.
        assertThat(text).as("%s in %s", key, language).doesNotContain("'").isNotBlank();
        assertThat(new MessageFormat(text, language)).isNotNull();
      }
    }
  }

  private static Properties bundle(Class<?> type, Locale language) throws IOException {
    String ending = language.equals(Locale.ENGLISH) ? "" : "_" + language.getLanguage();
    String name = type.getSimpleName() + ending + ".properties";
    Properties properties = new Properties();
    try (var in = type.getResourceAsStream(name)) {
      assertThat(in).as("%s beside %s", name, type.getName()).isNotNull();
      properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
    }
    return properties;
  }

  private static List<String> arguments(String text) {
    Set<String> found = new TreeSet<>();
    Matcher matcher = ARGUMENT.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return List.copyOf(found);
  }
}
