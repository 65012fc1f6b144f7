package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReservationOrderTest extends CommandTestBase {
  @Test
  void reservationsComeInTheOrderInWhichTheyWereMade() throws IOException {
    for (String name : List.of("second", "first")) {
      lab.reserve(name, lab.now(), 60, "n1", "root", "OVERLAP");
    }
    lab.changeReservation("second", r -> r.withId(1));
    lab.changeReservation("first", r -> r.withId(2));
    Captured command = serve();
    command.run("scontrol", "-o", "show", "res");
    assertThat(command.out().lines().map(line -> line.substring(0, 21)))
        .containsExactly("ReservationName=secon", "ReservationName=first");
    command.run("sinfo", "-h", "-T");
    assertThat(command.out()).matches("(?s).*second.*first.*");
  }
}
