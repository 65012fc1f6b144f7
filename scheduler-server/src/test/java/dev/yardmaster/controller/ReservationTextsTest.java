package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ALICE;
import static dev.yardmaster.controller.TestCluster.NOW;
import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Reservation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays the texts of {@code /controller/reservations} on six nodes, each text, between empty lines,
 * from the start: {@code create} and {@code update} of a reservation, with the error behind {@code
 * |} where it is refused, and what it has then: its nodes, its flags, its cores, its start in
 * minutes from the beginning, and the seconds of PURGE_COMP.
 */
class ReservationTextsTest {
  private final Bench bench = Bench.ready();

  @TestFactory
  Stream<DynamicTest> texts() throws IOException, URISyntaxException {
    Path folder =
        Path.of(
            Objects.requireNonNull(
                    ReservationTextsTest.class.getResource("/controller/reservations"))
                .toURI());
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList().stream().flatMap(ReservationTextsTest::parts);
    }
  }

  private static Stream<DynamicTest> parts(Path file) {
    try {
      return Arrays.stream(Files.readString(file).split("\n\n+"))
          .map(
              part ->
                  DynamicTest.dynamicTest(
                      file.getFileName() + ": " + part.lines().findFirst().orElse(""),
                      () -> part.lines().forEach(new ReservationTextsTest()::play)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void play(String line) {
    if (line.startsWith("#") || line.isBlank()) {
      return;
    }
    String[] halves = line.split(" \\| ", 2);
    String[] words = halves[0].strip().split(" +");
    String[] rest = Arrays.copyOfRange(words, 2, words.length);
    switch (words[0]) {
      case "create", "update" -> save(words, rest, halves.length > 1 ? halves[1] : "", line);
      case "part" ->
          done(line, bench.handle(new Command.UpdatePartition(ROOT, words[1], Bench.fields(rest))));
      case "drain" -> bench.nodes(ROOT, words[1], "state=drain", "reason=x");
      case "run" -> bench.run(rest);
      case "pass" -> bench.pass(Long.parseLong(words[1]));
      case "removedby" -> {
        Reply reply = bench.handle(new Command.DeleteReservation(ALICE, words[1]));
        assertThat(reply instanceof Reply.Refused r ? r.error().name() : "").isEqualTo(words[2]);
      }
      case "nodes" -> assertThat(get(words[1]).nodes()).as(line).isEqualTo(List.of(rest));
      case "flags" -> assertThat(get(words[1]).flagWords()).as(line).isEqualTo(List.of(rest));
      case "cores" ->
          assertThat(get(words[1]).cores())
              .as(line)
              .hasToString("{" + String.join(" ", rest) + "}");
      case "purge" -> assertThat(get(words[1]).purgeSeconds()).as(line).hasToString(words[2]);
      case "starts" ->
          assertThat(Duration.between(NOW, get(words[1]).start()).toMinutes())
              .as(line)
              .isEqualTo(Long.parseLong(words[2]));
      default -> throw new IllegalArgumentException("what is " + line);
    }
  }

  private void save(String[] words, String[] rest, String error, String line) {
    String[] fields = Arrays.copyOf(rest, rest.length + 1);
    fields[rest.length] = "reservation=" + words[1];
    Reply reply =
        bench.handle(
            new Command.SaveReservation(ROOT, words[0].equals("create"), Bench.fields(fields)));
    if (error.isEmpty()) {
      done(line, reply);
    } else {
      assertThat(Bench.error(reply).name()).as(line).isEqualTo(error);
    }
  }

  private static void done(String line, Reply reply) {
    assertThat(reply).as(line).isInstanceOf(Reply.Done.class);
  }

  private Reservation get(String name) {
    return Objects.requireNonNull(bench.core.state().reservations().get(name), name);
  }
}
