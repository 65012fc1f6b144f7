package dev.yardmaster.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/** Versions are pinned in the root pom.xml and nowhere else. */
class PomTest {
  @Test
  void modulesTakeAllVersionsFromTheRoot() {
    List<Path> modules =
        Checkout.files().stream()
            .filter(
                file ->
                    file.endsWith("pom.xml") && !file.equals(Checkout.root().resolve("pom.xml")))
            .toList();
    assertThat(modules).hasSizeGreaterThanOrEqualTo(3);
    assertThat(modules.stream().flatMap(PomTest::versionsOfItsOwn)).isEmpty();
  }

  private static Stream<String> versionsOfItsOwn(Path pom) {
    return versions(pom)
        .filter(version -> !version.getParentNode().getNodeName().equals("parent"))
        .filter(version -> !version.getTextContent().startsWith("${"))
        .map(version -> Checkout.name(pom) + ": " + version.getParentNode().getTextContent());
  }

  private static Stream<Element> versions(Path pom) {
    try {
      var found =
          DocumentBuilderFactory.newDefaultInstance()
              .newDocumentBuilder()
              .parse(pom.toFile())
              .getElementsByTagName("version");
      return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i));
    } catch (Exception e) {
      throw new AssertionError(pom + " does not parse", e);
    }
  }
}
