package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.engine.JobSpec;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times around a change of clocks, read and printed by the clock of the user, as by Slurm's. */
class ClockChangeTest extends CommandTestBase {
  private static final ZoneId MADRID = ZoneId.of("Europe/Madrid");

  @ParameterizedTest
  @CsvSource({
    "2027-03-28T02:30, 2027-10-31T02:30, uts1806197400, uts1824942600",
    "2027-01-01, 2027-10-31T02:30, uts1798758000, uts1824946200",
    "2027-10-31T02:30, 2027-11-01, uts1824946200, uts1825023600",
    "now+1hour, now+2days, now+1hour, now+2days"
  })
  void aJobBeginsAndEndsByTheClockOfTheUser(String begin, String deadline, String from, String to)
      throws IOException {
    Captured command = serve().in(MADRID).input("#!/bin/sh\n");
    controller().answer(c -> new Reply.Submitted(42, List.of()));
    command.run("sbatch", "--begin=" + begin, "--deadline=" + deadline);
    Command.Submit submit = (Command.Submit) controller().taken().getLast();
    assertThat(submit.submission().options())
        .containsAllEntriesOf(Map.of("begin", from, "deadline", to));
  }

  @ParameterizedTest
  @CsvSource({
    "2027-10-31T01:00, 2027-10-31T02:30, uts1824937200, uts1824942600",
    "2027-10-31T02:30, 2027-10-31T03:30, uts1824946200, uts1824949800",
    "2027-03-28T01:00, 2027-03-28T02:30, uts1806192000, uts1806197400"
  })
  void aReservationLiesAsTheClockOfTheUserSays(String start, String end, String from, String to)
      throws IOException {
    Captured command = serve().in(MADRID);
    controller().answer(c -> new Reply.Done(List.of()));
    command.run(
        "scontrol",
        "create",
        "reservation=r",
        "starttime=" + start,
        "endtime=" + end,
        "nodes=n1",
        "users=alice");
    Command.SaveReservation save = (Command.SaveReservation) controller().taken().getLast();
    assertThat(save.fields()).containsAllEntriesOf(Map.of("starttime", from, "endtime", to));
  }

  @ParameterizedTest
  @CsvSource({
    "1806195599, 2027-03-28T01:59:59",
    "1806195600, 2027-03-28T03:00:00",
    "1824942600, 2027-10-31T02:30:00",
    "1824946200, 2027-10-31T02:30:00",
    "1824949800, 2027-10-31T03:30:00"
  })
  void theHourThatIsMissingAndTheOneThatComesTwiceArePrinted(long seconds, String shown)
      throws IOException {
    Instant at = Instant.ofEpochSecond(seconds);
    lab.submit(JobSpec.job("waits").also(j -> j.withBegin(at)));
    lab.pass();
    lab.reserve("r", at, 60, "n1", "alice");
    Captured command = serve().in(MADRID);
    StringBuilder said = new StringBuilder();
    for (String line :
        List.of("squeue -h -o %S", "scontrol show job", "scontrol show res", "sinfo -T -h")) {
      List<String> words = List.of(line.split(" "));
      command.run(words.getFirst(), words.stream().skip(1).toArray(String[]::new));
      said.append(command.out());
    }
    assertThat(said.toString().lines())
        .anyMatch(shown::equals)
        .anyMatch(line -> line.contains("EligibleTime=" + shown))
        .anyMatch(line -> line.contains("StartTime=" + shown + " End"))
        .anyMatch(line -> line.startsWith("r ") && line.contains(" " + shown + " "));
  }

  @Test
  void howLongAReservationLastsIsNoMatterOfTheClock() throws IOException {
    lab.reserve("r", Instant.ofEpochSecond(1824939000), 120, "n1", "alice");
    Captured command = serve().in(MADRID);
    command.run("scontrol", "-o", "show", "res");
    assertThat(command.out())
        .contains("StartTime=2027-10-31T01:30:00 EndTime=2027-10-31T02:30:00 Duration=02:00:00");
  }
}
