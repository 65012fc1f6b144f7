package dev.yardmaster.bench;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a search of {@link ParserFuzz} begins with, and what it has found once. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ParserFuzzTest {
  private static final Path FOUND = Path.of("src/test/resources/fuzz");

  /** Texts of every notation, whole and broken; each parser gets all of them. */
  private static final List<String> SEEDS =
      List.of(
          "",
          "n[1-3,7],m[001-010]x",
          "n[",
          "1-5:2%3,9",
          "afterok:1_2+5:3,singleton",
          "[a&b*2]|c",
          "gpu:h100:4(S:0-1),shard:2",
          "1-02:03:04",
          "UNLIMITED",
          "4.5G",
          "now+1hour",
          "2026-02-30T25:61",
          "cpu=4,mem=8G,gres/gpu:h100=2",
          "block:cyclic:fcyclic,Pack",
          "2-4:2",
          "12_3+4.5",
          "IDLE+DRAIN*",
          "PartitionName=x Nodes=n[1-9 Default=MAYBE",
          "Name=gpu Type=h100 File=/dev/nvidia[0-7] Cores=0-3",
          "SwitchName=s1 Nodes=n[1-4]\nSwitchName=s2 Switches=s[1-99999999]",
          "- topology: t\n  cluster_default: true\n  tree:\n    switches: [{switch: s, nodes: n1}]",
          "-o\0%.18i %9P\0--sort\0-t,+x",
          "--format=JobID%-20,State%0",
          "--wrap=true\0--array=1-\0--gres=gpu:\0\u00e9\ud83d\ude00",
          "-\0--\0---\0-=\0--=x",
          "99999999999999999999",
          "%".repeat(300),
          "[".repeat(300),
          "(".repeat(2_000));

  @Test
  void everyParserTakesOrRefusesWhatASearchBeginsWith() {
    for (int parser = 0; parser < ParserFuzz.parsers(); parser++) {
      for (String seed : SEEDS) {
        int number = parser;
        assertThatCode(() -> ParserFuzz.parse(number, seed))
            .as("parser %s and %s", parser, seed)
            .doesNotThrowAnyException();
      }
    }
  }

  @Test
  void whatWasFoundOnceIsRefusedNow() throws IOException {
    if (Files.isDirectory(FOUND)) {
      try (Stream<Path> files = Files.list(FOUND)) {
        for (Path file : files.sorted().toList()) {
          byte[] found = Files.readAllBytes(file);
          assertThatCode(() -> ParserFuzz.fuzzerTestOneInput(found))
              .as("%s", file)
              .doesNotThrowAnyException();
        }
      }
    }
  }

  /** Writes them where a search looks for them. */
  static void writeSeeds(Path folder) throws IOException {
    for (int parser = 0; parser < ParserFuzz.parsers(); parser++) {
      for (int i = 0; i < SEEDS.size(); i++) {
        byte[] text = SEEDS.get(i).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        byte[] all = new byte[text.length + 1];
        all[0] = (byte) parser;
        System.arraycopy(text, 0, all, 1, text.length);
        Files.write(folder.resolve("seed-" + parser + "-" + i), all);
      }
    }
  }
}
