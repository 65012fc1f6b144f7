package dev.yardmaster.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  @TempDir private Path folder;

  private Path file() {
    return folder.resolve(AuditLog.FILE_NAME);
  }

  private static AuditLog.Entry entry(String what) {
    return new AuditLog.Entry(
        "2026-12-01T10:00:00Z", "ana", 1001, "/127.0.0.1:1", what, "a=1", "a=2", "\"ñ\"\n", "done");
  }

  private void write(String... whats) throws IOException {
    try (AuditLog log = AuditLog.open(folder)) {
      for (String what : whats) {
        log.write(entry(what));
      }
    }
  }

  private String problem() throws IOException {
    AuditLog.Verdict verdict = AuditLog.verify(file(), null);
    return verdict.lines() + " " + verdict.problem();
  }

  @Test
  void aLogThatIsAsItWasWrittenIsInOrderAndGoesOnAfterARestart() throws IOException {
    write();
    assertThat(problem()).isEqualTo("0 null");
    write("one", "two");
    write("three");
    assertThat(problem()).isEqualTo("3 null");
    assertThat(Files.readAllLines(file()))
        .first()
        .asString()
        .startsWith(
            "{\"time\":\"2026-12-01T10:00:00Z\",\"user\":\"ana\",\"uid\":1001,"
                + "\"from\":\"/127.0.0.1:1\",\"what\":\"one\",\"before\":\"a=1\",\"after\":\"a=2\","
                + "\"reason\":\"\\\"ñ\\\"\\n\",\"answer\":\"done\",\"hash\":\"");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
  }

  @Test
  void whateverIsDoneToALineIsFoundAtItsPlace() throws IOException {
    write("one", "two", "three", "four");
    List<String> lines = Files.readAllLines(file());
    for (int i = 0; i < lines.size(); i++) {
      List<String> changed = new ArrayList<>(lines);
      changed.set(i, lines.get(i).replace("ana", "bob"));
      Files.write(file(), changed);
      assertThat(problem()).startsWith(i + " it was changed");
      if (i < lines.size() - 1) {
        List<String> without = new ArrayList<>(lines);
        without.remove(i);
        Files.write(file(), without);
        assertThat(problem()).startsWith(i + " it was changed");
      }
      List<String> twice = new ArrayList<>(lines);
      twice.add(i, lines.get(i));
      Files.write(file(), twice);
      assertThat(problem()).startsWith(i + 1 + " it was changed");
    }
    Files.write(file(), List.of("{}"));
    assertThat(problem()).isEqualTo("0 it has no hash");
    Files.write(file(), List.of("no JSON"));
    assertThat(problem()).isEqualTo("0 it is no JSON");
  }

  @Test
  void aTailThatWasCutOffIsFoundByWhoKnowsTheLastHash() throws IOException {
    write("one", "two");
    String last = AuditLog.verify(file(), null).last();
    write("three");
    assertThat(AuditLog.verify(file(), last).problem()).isNull();
    Files.write(file(), Files.readAllLines(file()).subList(0, 1));
    assertThat(problem()).isEqualTo("1 null");
    assertThat(AuditLog.verify(file(), last).problem()).contains("missing");
  }

  @Test
  void twoWhoWriteToOneFileKeepItInOrder() throws IOException {
    try (AuditLog first = AuditLog.open(folder);
        AuditLog second = AuditLog.open(folder)) {
      for (int i = 0; i < 5; i++) {
        first.write(entry("first " + i));
        second.write(entry("second " + i));
      }
    }
    assertThat(problem()).isEqualTo("10 null");
  }

  @Test
  void aLineThatACrashLeftUnfinishedIsCutOff() throws IOException {
    write("one", "two");
    Files.writeString(file(), "{\"time\":\"2026", StandardOpenOption.APPEND);
    write("three");
    assertThat(problem()).isEqualTo("3 null");
  }
}
